#!/bin/sh
# A hook that misbehaves on demand: hook.sh KIND LOG. It appends what it was
# told to LOG, one event a line, then does KIND.
kind=$1 log=$2
event=$(cat)
printf '%s\n' "$event" >>"$log"
answer() {
	case $event in
	*'"hook_event_name":"PermissionRequest"'*)
		printf '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"%s"' "$1"
		[ "$1" = allow ] || printf ',"message":"%s"' "$2"
		printf '}}}'
		return
		;;
	esac
	printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"%s","permissionDecisionReason":"%s"}}' "$1" "$2"
}
# What only prepares a test is let through, whatever the kind.
case $event in *nod-prime* | *'"limit":4242'*) [ "$kind" = record ] || { answer allow prime; exit 0; } ;; esac
case $kind in
allow) answer allow WORDS-ON-ALLOW ;;
allow-then-refuse) case $event in *'"hook_event_name":"PermissionRequest"'*) sleep 1; answer deny NOT-WHAT-WAS-ALLOWED ;; *) answer allow W ;; esac ;;
allow-only-*) case $event in *'"tool_name":"'"${kind#allow-only-}"'"'*) answer allow W ;; *) answer deny W ;; esac ;;
deny) answer deny WORDS-ON-DENY ;;
deny-no-reason) printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}' ;;
ask) answer ask WORDS-ON-ASK ;;
unknown-word) answer permit WORDS ;;
wrong-case) answer Allow WORDS ;;
silent) ;;
empty-object) printf '{}' ;;
null) printf 'null' ;;
array) printf '[]' ;;
plain-text) echo 'all is well, allow' ;;
log-line-first) echo 'starting'; answer deny WORDS ;;
allow-log-line-after) answer allow WORDS; echo; echo 'done' ;;
allow-twice) answer allow WORDS; answer allow WORDS ;;
allow-bom) printf '\357\273\277'; answer allow WORDS ;;
log-line-after) answer deny WORDS; echo; echo 'done' ;;
two-objects) answer deny WORDS; answer deny WORDS ;;
garbage) head -c 4096 /dev/urandom ;;
truncated) answer deny WORDS | head -c 70 ;;
truncated-by-one) answer deny WORDS | head -c -1 ;;
truncated-allow) answer allow WORDS | head -c 70 ;;
wrong-event) printf '{"hookSpecificOutput":{"hookEventName":"PostToolUse","permissionDecision":"deny","permissionDecisionReason":"W"}}' ;;
async) printf '{"async":true}' ;;
closed-streams) exec 1>&- 2>&- ;;
stderr-only) echo 'something broke' >&2 ;;
sigkill) kill -KILL $$ ;;
sigsegv) kill -SEGV $$ ;;
sigstop) kill -STOP $$ ;;
guard-killed) kill -KILL $PPID; sleep 600 ;;
guard-stopped) kill -STOP $PPID; sleep 600 ;;
hang) exec sleep 600 ;;
wait)
	for s in TERM INT HUP; do trap "echo $s >>'$log.signals'; exit 143" $s; done
	sleep 600 &
	wait
	;;
hang-deaf) trap '' TERM INT HUP; while :; do sleep 1; done ;;
exit-*) echo 'hook failed' >&2; exit "${kind#exit-}" ;;
exit-silent-*) exit "${kind#exit-silent-}" ;;
allow-exit-*) answer allow WORDS; exit "${kind#allow-exit-}" ;;
allow-context)
	case $event in *PermissionRequest*) answer allow WORDS-ON-ALLOW; exit 0 ;; esac
	printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"WORDS-ON-ALLOW","additionalContext":"CONTEXT-ON-ALLOW"}}'
	;;
rewrite) printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"%s"}}}' "$3" ;;
record) ;;
*) echo "hook.sh: unknown kind $kind" >&2; exit 2 ;;
esac
