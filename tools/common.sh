# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
# What check and quickstart share: progress lines, Debian packages, building. Sourced by bash, with ROOT set.

build_packages=(build-essential autoconf automake libtool pkg-config libevent-dev libssl-dev libsasl2-dev libsasl2-modules libzstd-dev liblz4-dev
	libsnappy-dev zlib1g-dev libisal-dev libbsd-dev uthash-dev libcmocka-dev)
kafka_packages=(maven procps ca-certificates "openjdk-17-jdk-headless|openjdk-21-jdk-headless|openjdk-25-jdk-headless")
# Releases format differently: one version for all, where there is one.
formatter_package="clang-format-14|clang-format"

# Time since the script began, in front of each line.
say() { printf '[%4d s] %s\n' "$SECONDS" "$*"; }

# Runs a command whose output goes to a log; says what it waits for when it takes long, and shows the log's end when it fails.
#   run_logged WHAT LOG COMMAND...
run_logged() {
	local what=$1 log=$2 pid ticks=0 rc=0
	shift 2
	mkdir -p "$(dirname "$log")"
	"$@" >"$log" 2>&1 </dev/null &
	pid=$!
	while kill -0 "$pid" 2>/dev/null; do
		sleep 0.2
		ticks=$((ticks + 1))
		((ticks % 75 == 0)) && say "$what: still at work: $(tail -n 1 "$log" | cut -c1-120)"
	done
	wait "$pid" || rc=$?
	if ((rc != 0)); then
		tail -n 30 "$log" >&2
		say "$what failed with exit status $rc; the whole log is $log" >&2
	fi
	return $rc
}

as_root() {
	if [[ $(id -u) -eq 0 ]]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo "$@"
	else
		say "cannot run as root: $* (there is no sudo); run it yourself and start again" >&2
		return 1
	fi
}

package_there() { [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]; }

java_there() {
	local major
	command -v javac >/dev/null || return 1
	major=$(javac -version 2>&1 | sed -n 's/^javac \([0-9]*\).*/\1/p')
	[[ ${major:-0} -ge 17 ]]
}

# A choice is written "first|second": any of them will do.
choice_there() {
	local package
	[[ $1 == openjdk-* ]] && java_there && return
	for package in ${1//|/ }; do
		package_there "$package" && return
	done
	return 1
}

# The first of a choice that this release has.
choice_available() {
	local package
	for package in ${1//|/ }; do
		if apt-cache show "$package" >/dev/null 2>&1; then break; fi
	done
	echo "$package"
}

# Installs what is missing: need_packages LOG PACKAGE...
need_packages() {
	local log=$1 choice missing=() packages=()
	shift
	command -v dpkg-query >/dev/null || {
		say "this is not Debian or Ubuntu: install yourself what is missing of: $*"
		return 0
	}
	for choice; do
		choice_there "$choice" || missing+=("$choice")
	done
	((${#missing[@]} > 0)) || return 0
	say "installing packages: ${missing[*]}"
	run_logged "apt-get update" "$log" as_root apt-get update || return 1
	for choice in "${missing[@]}"; do packages+=("$(choice_available "$choice")"); done
	run_logged "installing packages" "$log" as_root env DEBIAN_FRONTEND=noninteractive \
		apt-get install -y --no-install-recommends "${packages[@]}"
}

configure_is_old() {
	local file
	[[ -x $ROOT/configure ]] || return 0
	for file in "$ROOT"/configure.ac "$ROOT"/Makefile.am "$ROOT"/src/*/Makefile.inc "$ROOT"/tests/*/*.inc; do
		[[ $file -nt $ROOT/configure ]] && return 0
	done
	return 1
}

# Configures (when the flags are new) and makes a folder: build_in DIR "CONFIGURE FLAGS" TARGET...
build_in() {
	local dir=$1 flags=$2 log
	shift 2
	log=$dir/build.log
	mkdir -p "$dir"
	if configure_is_old; then
		say "$dir: making configure"
		run_logged "bootstrap" "$dir/bootstrap.log" "$ROOT/bootstrap" --force || return 1
	fi
	if [[ ! -f $dir/Makefile || $(cat "$dir/.flags" 2>/dev/null) != "$flags" ]]; then
		say "$dir: configure $flags"
		rm -f "$dir/.flags"
		# Splitting of the flags is wanted.
		# shellcheck disable=SC2086
		(cd "$dir" && run_logged "configure" "$dir/configure.out" "$ROOT/configure" $flags) || return 1
		printf '%s\n' "$flags" >"$dir/.flags"
	fi
	say "$dir: make $*"
	run_logged "make in $dir" "$log" make -C "$dir" -j"$(nproc)" --no-print-directory "$@"
}
