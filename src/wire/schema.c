/* SPDX-License-Identifier: Apache-2.0 */
/* Questions about schemas are answered here: finding them, sizes, defaults. */
#include "schema.h"

#include "wire/messages.h"

const struct schema *schema_find(int16_t api_key, bool response)
{
	for (size_t i = 0; i < schema_messages_n; i++) {
		const struct schema *s = schema_messages[i];

		if (s->api_key == api_key && s->response == response)
			return s;
	}
	return NULL;
}

const char *schema_name(const struct schema *s)
{
	return s->name;
}

int16_t schema_min_version(const struct schema *s)
{
	return s->min;
}

int16_t schema_max_version(const struct schema *s)
{
	return s->max;
}

bool schema_is_flexible(const struct schema *s, int16_t version)
{
	return version >= s->flexible;
}

size_t schema_struct_size(const struct schema *s)
{
	return s->size;
}

const struct schema_field *schema_tag_find(const struct schema *s, int16_t version, uint32_t tag)
{
	for (size_t i = 0; i < s->fields_n; i++) {
		const struct schema_field *f = &s->fields[i];

		if (field_is_tagged(f) && f->tag == tag && field_in_version(f, version))
			return f;
	}
	return NULL;
}

size_t field_elem_size(const struct schema_field *f)
{
	switch ((enum field_type)f->type) {
	case FIELD_BOOL:
		return sizeof(bool);
	case FIELD_INT8:
		return sizeof(int8_t);
	case FIELD_INT16:
	case FIELD_UINT16:
		return sizeof(int16_t);
	case FIELD_INT32:
		return sizeof(int32_t);
	case FIELD_INT64:
		return sizeof(int64_t);
	case FIELD_FLOAT64:
		return sizeof(double);
	case FIELD_UUID:
		return sizeof(struct uuid);
	case FIELD_STRING:
		return sizeof(struct str);
	case FIELD_BYTES:
		return sizeof(struct bytes);
	case FIELD_RECORDS:
		return sizeof(struct records);
	case FIELD_STRUCT:
		break;
	}
	return f->sub->size;
}

size_t field_elem_min(const struct schema_field *f, int16_t version, bool flexible)
{
	switch ((enum field_type)f->type) {
	case FIELD_BOOL:
	case FIELD_INT8:
		return 1;
	case FIELD_INT16:
	case FIELD_UINT16:
		return 2;
	case FIELD_INT32:
		return 4;
	case FIELD_INT64:
	case FIELD_FLOAT64:
		return 8;
	case FIELD_UUID:
		return sizeof(struct uuid);
	case FIELD_STRING:
		return flexible ? 1 : 2;
	case FIELD_BYTES:
	case FIELD_RECORDS:
		return flexible ? 1 : 4;
	case FIELD_STRUCT:
		break;
	}
	return f->flags & FIELD_POINTER ? 1 : schema_min_size(f->sub, version, flexible);
}

size_t schema_min_size(const struct schema *s, int16_t version, bool flexible)
{
	size_t n = flexible ? 1 : 0;

	for (size_t i = 0; i < s->fields_n; i++) {
		const struct schema_field *f = &s->fields[i];

		if (!field_in_version(f, version) || field_is_tagged(f))
			continue;
		if (field_is_array(f))
			n += flexible ? 1 : 4;
		else
			n += field_elem_min(f, version, flexible);
	}
	return n ? n : 1;
}

void *schema_empty_array(void)
{
	static const max_align_t nothing;

	return (void *)(uintptr_t)&nothing;
}

static void set_default(const struct schema_field *f, uint8_t *to)
{
	bool null = (f->flags & FIELD_DEFAULT_NULL) != 0;

	switch ((enum field_type)f->type) {
	case FIELD_BOOL:
		*(bool *)to = f->default_int != 0;
		break;
	case FIELD_INT8:
		*(int8_t *)to = (int8_t)f->default_int;
		break;
	case FIELD_INT16:
		*(int16_t *)(void *)to = (int16_t)f->default_int;
		break;
	case FIELD_UINT16:
		*(uint16_t *)(void *)to = (uint16_t)f->default_int;
		break;
	case FIELD_INT32:
		*(int32_t *)(void *)to = (int32_t)f->default_int;
		break;
	case FIELD_INT64:
		*(int64_t *)(void *)to = f->default_int;
		break;
	case FIELD_FLOAT64:
		*(double *)(void *)to = 0;
		break;
	case FIELD_UUID:
		*(struct uuid *)(void *)to = (struct uuid){{0}};
		break;
	case FIELD_STRING:
		*(struct str *)(void *)to = null ? STR_NULL : STR_LIT("");
		break;
	case FIELD_BYTES:
		*(struct bytes *)(void *)to = (struct bytes){null ? NULL : schema_empty_array(), 0};
		break;
	case FIELD_RECORDS:
		*(struct records *)(void *)to = (struct records){null ? NULL : schema_empty_array(), 0};
		break;
	case FIELD_STRUCT:
		if (f->flags & FIELD_POINTER)
			field_set_pointer(to, NULL);
		else
			codec_init(f->sub, to);
		break;
	}
}

void codec_init(const struct schema *s, void *msg)
{
	uint8_t *base = msg;

	for (size_t i = 0; i < s->fields_n; i++) {
		const struct schema_field *f = &s->fields[i];

		if (field_is_array(f)) {
			field_set_array(f, base, f->flags & FIELD_DEFAULT_NULL ? NULL : schema_empty_array(), 0);
		} else {
			set_default(f, base + f->offset);
		}
	}
}
