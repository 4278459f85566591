#!/bin/sh
# Installs the Claude Code version the tests were measured on into DIR.
# Does nothing when it is there already. Usage: install.sh [DIR]
set -eu
version=2.1.332
dir=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/nod-test}/claude-code-$version
bin=$dir/node_modules/@anthropic-ai/claude-code/bin/claude.exe

works() { [ -x "$bin" ] && [ "$("$bin" --version 2>/dev/null)" = "$version (Claude Code)" ]; }

if works; then
	echo "$bin"
	exit 0
fi
# A test run outside CI only looks: nobody's first "go test" downloads 384 MB.
if [ -n "${NOD_TEST_LOOK:-}" ]; then
	echo "install.sh: run sh gateway/hook/claudetest/install.sh once to have it" >&2
	exit 1
fi
command -v npm >/dev/null || { echo "install.sh: npm is not installed" >&2; exit 1; }
mkdir -p "$dir"
# Two test runs at once must not install into each other.
exec 9>"$dir.lock"
if command -v flock >/dev/null; then flock 9; fi
if ! works; then
	echo '{"private":true}' >"$dir/package.json"
	npm install --prefix "$dir" --no-audit --no-fund --no-package-lock \
		--ignore-scripts "@anthropic-ai/claude-code@$version" >&2
	# The package's own step puts the platform's binary in place; it is run by
	# name because npm may be configured not to run it.
	(cd "$dir/node_modules/@anthropic-ai/claude-code" && node install.cjs >&2)
fi
works || { echo "install.sh: $bin does not answer --version with $version" >&2; exit 1; }
echo "$bin"
