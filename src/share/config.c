/* SPDX-License-Identifier: Apache-2.0 */
/* The configs that a group overrides: changed all together or not at all, kept as text, effective at once. */
#include "engine.h"

enum { CONFIG_VALUE_MAX = 1024 };

/* What holds for the group: its own values, as far as they fit the bounds of today. */
void share_admin_config_effective(struct share_engine *e, const struct share_group *g, struct share_group_config *ret)
{
	share_group_config_default(&e->cfg.group, ret);
	for (uint32_t i = 0; i < g->configs_n; i++) {
		enum err err =
			share_group_config_set_clamped(&e->cfg.group, ret, g->configs[i].name, g->configs[i].value);

		(void)err; /* a name or text that is not understood (any more) leaves the default */
	}
}

static void config_reply(struct share_engine *e, const struct share_event *ev, int16_t error, struct str message)
{
	struct share_effect *fx = share_emit_reply(e, SHARE_EV_ALTER_CONFIG, ev->state_partition, ev->token);

	fx->after_durable = error == SHARE_ERR_NONE;
	fx->u.config.error = error;
	fx->u.config.error_message = message;
}

static const struct share_config_entry *config_last(const struct share_event *ev, struct str name)
{
	for (uint32_t i = ev->u.config.entries_n; i > 0; i--) {
		if (str_eq(ev->u.config.entries[i - 1].name, name))
			return &ev->u.config.entries[i - 1];
	}
	return NULL;
}

/* The values as they would be: those of the group that are not changed, then the changes. */
static int16_t config_check(
	struct share_engine *e, const struct share_group *g, const struct share_event *ev, struct str *ret_message)
{
	struct arena *a = &e->fx->arena;
	struct share_group_config cfg;

	share_group_config_default(&e->cfg.group, &cfg);
	for (uint32_t i = 0; g && i < g->configs_n; i++) {
		enum err err = config_last(ev, g->configs[i].name) ? ERR_OK
								   : share_group_config_set_clamped(&e->cfg.group, &cfg,
									     g->configs[i].name, g->configs[i].value);

		(void)err;
	}
	for (uint32_t i = 0; i < ev->u.config.entries_n; i++) {
		const struct share_config_entry *c = &ev->u.config.entries[i];
		struct str value = c->value.p ? c->value : share_group_config_get(&cfg, c->name, a);

		if (!c->name.p || str_is_null(value)) {
			*ret_message = arena_printf(a, "Unknown group config name: %.*s",
				(int)(c->name.n < 256 ? c->name.n : 256), c->name.p ? c->name.p : "");
			return SHARE_ERR_INVALID_CONFIG;
		}
		if (value.n > CONFIG_VALUE_MAX ||
			share_group_config_set(&e->cfg.group, &cfg, c->name, value, a, ret_message) != ERR_OK) {
			if (str_is_null(*ret_message))
				*ret_message = STR_LIT("The value is too long.");
			return SHARE_ERR_INVALID_CONFIG;
		}
	}
	return share_group_config_check(&cfg, a, ret_message) == ERR_OK ? SHARE_ERR_NONE : SHARE_ERR_INVALID_CONFIG;
}

static void config_apply(struct share_engine *e, struct share_group *g, const struct share_config_entry *c)
{
	struct share_effect *fx;
	uint32_t i = 0;

	while (i < g->configs_n && !str_eq(g->configs[i].name, c->name))
		i++;
	if (!c->value.p && i == g->configs_n)
		return;
	if (!c->value.p) {
		share_str_free(&g->configs[i].name);
		share_str_free(&g->configs[i].value);
		memmove(&g->configs[i], &g->configs[i + 1], (g->configs_n - i - 1) * sizeof(*g->configs));
		g->configs_n--;
	} else if (i < g->configs_n) {
		share_str_free(&g->configs[i].value);
		g->configs[i].value = share_str_dup(c->value);
	} else {
		g->configs = mem_resize(g->configs, (size_t)g->configs_n + 1, sizeof(*g->configs));
		g->configs[g->configs_n++] =
			(struct share_config_entry){share_str_dup(c->name), share_str_dup(c->value)};
	}
	fx = share_group_change(e, g, SHARE_CHANGE_CONFIG);
	fx->u.change.u.config.name = share_fx_copy(e, c->name);
	fx->u.change.u.config.value = share_fx_copy(e, c->value);
}

/* Partitions of a group that reads at another isolation level from now on move to the other log. */
static void config_move_logs(struct share_engine *e, struct share_group *g)
{
	struct share_partition *sp;

	RB_FOREACH(sp, share_partition_tree, &g->sps)
	{
		if (!sp->log || sp->log->key.read_committed == g->cfg.read_committed)
			continue;
		share_log_detach(e, sp);
		share_log_attach(e, sp);
	}
	RB_FOREACH(sp, share_partition_tree, &g->sps)
	share_partition_heat(e, sp); /* a wider window, or another log */
}

void share_admin_config(struct share_engine *e, const struct share_event *ev)
{
	struct str id = ev->u.config.group_id, message = STR_NULL;
	struct share_group *g = id.p && id.n ? share_group_find(e, id) : NULL;
	int16_t error;

	if (!id.p || !id.n) {
		config_reply(e, ev, SHARE_ERR_INVALID_REQUEST, STR_LIT("Default group resources are not allowed."));
		return;
	}
	error = config_check(e, g, ev, &message);
	if (error || ev->u.config.validate_only) {
		config_reply(e, ev, error, error ? message : STR_NULL);
		return;
	}
	g = share_group_get(e, id, ev->state_partition);
	if (!g) {
		config_reply(e, ev, SHARE_ERR_POLICY_VIOLATION, STR_LIT("The limit of groups is reached."));
		return;
	}
	for (uint32_t i = 0; i < ev->u.config.entries_n; i++)
		config_apply(e, g, &ev->u.config.entries[i]);
	share_admin_config_effective(e, g, &g->cfg);
	config_move_logs(e, g);
	config_reply(e, ev, SHARE_ERR_NONE, STR_NULL);
	share_group_put(e, g);
}

struct str share_group_config_value(
	const struct share_engine *e, struct str group_id, struct str name, struct arena *a, bool *ret_is_set)
{
	const struct share_group *g = group_id.p ? share_group_find(e, group_id) : NULL;
	struct share_group_config cfg;

	*ret_is_set = false;
	for (uint32_t i = 0; g && i < g->configs_n; i++) {
		struct str value = g->configs[i].value;

		if (!str_eq(g->configs[i].name, name))
			continue;
		*ret_is_set = true; /* as it was given, not as it is printed */
		value.p = arena_copy_string(a, value);
		return value;
	}
	share_group_config_default(&e->cfg.group, &cfg);
	return share_group_config_get(g ? &g->cfg : &cfg, name, a);
}

uint32_t share_group_config_sources(const struct share_engine *e, struct str group_id, uint32_t i, struct arena *a,
	struct share_config_source ret[SHARE_CONFIG_SOURCES])
{
	struct str name = share_group_config_name(i), value;
	bool is_set = false;
	uint32_t n = 0;

	value = share_group_config_value(e, group_id, name, a, &is_set);
	if (is_set)
		ret[n++] = (struct share_config_source){SHARE_CONFIG_DYNAMIC_GROUP, name, value};
	return n + share_group_config_broker(&e->cfg.group, i, a, ret + n);
}
