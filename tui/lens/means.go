package lens

import (
	"path"
	"slices"
	"strings"
)

// carriedBy gives the command that a command runs as its own words: the rest of
// sudo, env, timeout, xargs. Their options are skipped, with the values that
// they take.
func carriedBy(argv []reading) []reading {
	valued, ok := map[string]string{
		"sudo": "ughpCrtUD", "doas": "uC", "env": "uCS", "nohup": "", "setsid": "", "timeout": "ks", "time": "fo", "nice": "n",
		"ionice": "cnp", "command": "", "builtin": "", "exec": "a", "xargs": "InPLdEsa", "stdbuf": "ioe", "busybox": "",
		"parallel": "jI", "watch": "n", "strace": "eop", "chroot": "",
	}[path.Base(argv[0].text)]
	if !ok {
		return nil
	}
	name := path.Base(argv[0].text)
	i := 1
	for ; i < len(argv); i++ {
		a := argv[i].text
		if a == "--" {
			i++
			break
		}
		if strings.HasPrefix(a, "-") && len(a) > 1 {
			if len(a) == 2 && strings.Contains(valued, a[1:]) {
				i++
			}
			continue
		}
		if name == "env" && strings.Contains(a, "=") {
			continue
		}
		break
	}
	if (name == "timeout" || name == "chroot") && i < len(argv) {
		i++ // the time, the new root
	}
	if i >= len(argv) {
		return nil
	}
	return argv[i:]
}

// has reports whether an option is given, also in a bundle of short ones.
func has(argv []reading, short string, long ...string) bool {
	return slices.ContainsFunc(argv[1:], func(a reading) bool {
		if strings.HasPrefix(a.text, "--") {
			return slices.ContainsFunc(long, func(l string) bool { return a.text == l || strings.HasPrefix(a.text, l+"=") })
		}
		return short != "" && strings.HasPrefix(a.text, "-") && strings.ContainsAny(a.text[1:], short) ||
			slices.Contains(long, a.text)
	})
}

// word reports whether one of the words is given.
func word(argv []reading, words ...string) bool {
	return slices.ContainsFunc(argv[1:], func(a reading) bool { return slices.Contains(words, a.text) })
}

// means says in words what a command's own words ask for. It names, it does
// not judge, and it does not know every command.
func means(argv []reading) []string {
	name := path.Base(argv[0].text)
	if isInterpreter(name) {
		return interpreter(name, argv)
	}
	switch name {
	case "rm", "rmdir", "unlink", "shred":
		return removes(name, argv)
	case "find", "fd":
		return finds(argv)
	case "sudo", "doas", "su", "pkexec", "runuser":
		return []string{"runs as another user"}
	case "ssh":
		return []string{"runs on another machine"}
	case "scp", "sftp", "rsync":
		if slices.ContainsFunc(argv[1:], func(a reading) bool { return strings.Contains(a.text, ":") }) {
			return []string{"copies to or from another machine"}
		}
	case "curl", "wget":
		return transfers(argv)
	case "nc", "ncat", "netcat", "socat", "telnet":
		return []string{"talks to the network"}
	case "dig", "nslookup", "host":
		if slices.ContainsFunc(argv[1:], func(a reading) bool { return a.dynamic || strings.Contains(a.text, "{}") }) {
			return []string{"asks the network for a computed name"}
		}
	case "git":
		return gits(argv)
	case "xargs", "parallel":
		return []string{"runs a command for what it reads"}
	case "eval":
		return []string{"runs a text as commands"}
	case "source", ".":
		return []string{"runs a file's commands in this shell"}
	case "env":
		if has(argv, "S", "--split-string") {
			return []string{"parts a text into a command and runs it"}
		}
	case "alias":
		return []string{"changes what a name means"}
	case "awk", "gawk", "mawk", "nawk":
		if slices.ContainsFunc(argv[1:], func(a reading) bool { return strings.Contains(a.text, "system(") || strings.Contains(a.text, "|") }) {
			return []string{"runs commands from its program"}
		}
	case "tar":
		if has(argv, "", "--checkpoint-action", "--to-command", "--use-compress-program", "--info-script", "--rmt-command") {
			return []string{"has tar run a command"}
		}
	case "nohup", "setsid", "disown":
		return []string{"goes on after the shell ends"}
	case "tee":
		return []string{"writes to a file with tee"}
	case "dd":
		return []string{"copies bytes; of= is overwritten"}
	case "crontab":
		return []string{"changes what runs on a schedule"}
	case "at", "batch":
		return []string{"runs something later"}
	case "systemctl", "launchctl", "service":
		return []string{"changes a service"}
	case "chmod", "chown", "chgrp", "setfacl":
		if has(argv, "R", "--recursive") {
			return []string{"changes permissions recursively"}
		}
	case "kill", "pkill", "killall":
		return []string{"ends processes"}
	case "docker", "podman", "nerdctl":
		return containers(argv)
	case "chroot", "nsenter", "unshare":
		return []string{"runs in another root or namespace"}
	case "mail", "mailx", "sendmail", "mutt":
		return []string{"sends mail"}
	case "npm", "pnpm", "yarn", "cargo", "gem", "twine", "poetry", "helm":
		if word(argv, "publish", "push", "upload") {
			return []string{"publishes a package"}
		}
	}
	if strings.HasPrefix(name, "mkfs") || name == "wipefs" || name == "fdisk" || name == "parted" {
		return []string{"changes a disk"}
	}
	return remote(name, argv)
}

func interpreter(name string, argv []reading) []string {
	switch {
	case isShell(name) && has(argv, "c"):
		return []string{"runs a text as commands"}
	case !isShell(name) && has(argv, "cer", "--eval", "--print"):
		return []string{"runs a text as " + name + " code"}
	}
	return nil
}

func removes(name string, argv []reading) []string {
	what := "deletes files"
	if name == "rm" && has(argv, "rR", "--recursive") {
		what = "deletes recursively"
	}
	if slices.ContainsFunc(argv[1:], func(a reading) bool { return a.dynamic || a.glob }) {
		return []string{what, "what is deleted is known only when it runs"}
	}
	return []string{what}
}

func finds(argv []reading) []string {
	var out []string
	if word(argv, "-delete") {
		out = append(out, "deletes what it finds")
	}
	if word(argv, "-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch") {
		out = append(out, "runs a command for what it finds")
	}
	return out
}

func transfers(argv []reading) []string {
	out := []string{"talks to the network"}
	if has(argv, "dFT", "--data", "--data-raw", "--data-binary", "--data-urlencode", "--json", "--form", "--upload-file", "--post-data", "--post-file") ||
		word(argv, "POST", "PUT", "PATCH", "DELETE") {
		if path.Base(argv[0].text) == "curl" || has(argv, "", "--post-data", "--post-file") {
			out[0] = "sends data over the network"
		}
	}
	if path.Base(argv[0].text) == "wget" || has(argv, "oO", "--output", "--remote-name") {
		out = append(out, "writes what it downloads to a file")
	}
	return out
}

func gits(argv []reading) []string {
	var out []string
	if has(argv, "c", "--exec-path", "--config-env") && argv[1].text != "commit" {
		if len(argv) > 1 && strings.HasPrefix(argv[1].text, "-") {
			out = append(out, "sets git's configuration for this run, which can run commands")
		}
	}
	switch {
	case word(argv, "push"):
		out = append(out, "pushes to a remote")
		if has(argv, "f", "--force", "--force-with-lease", "--mirror", "--delete") {
			out = append(out, "can overwrite or delete what the remote has")
		}
	case word(argv, "reset") && has(argv, "", "--hard"), word(argv, "clean") && has(argv, "f", "--force"),
		word(argv, "checkout", "switch") && has(argv, "f", "--force", "--discard-changes"):
		out = append(out, "discards work that is not committed")
	}
	return out
}

func containers(argv []reading) []string {
	switch {
	case word(argv, "push"):
		return []string{"pushes to a remote"}
	case word(argv, "run", "exec"):
		out := []string{"runs in a container"}
		if has(argv, "v", "--volume", "--mount", "--privileged") {
			out = append(out, "with parts of this machine in it")
		}
		return out
	case word(argv, "rm", "rmi", "prune"):
		return []string{"deletes containers, images or volumes"}
	}
	return nil
}

// remote names the acts of tools that change something elsewhere.
func remote(name string, argv []reading) []string {
	switch name {
	case "kubectl", "oc", "terraform", "tofu", "pulumi", "aws", "gcloud", "az", "gh", "glab", "stripe", "heroku", "fly", "flyctl", "doctl", "ansible-playbook":
	default:
		return nil
	}
	if word(argv, "delete", "rm", "rb", "destroy", "remove", "terminate-instances", "delete-bucket", "purge", "drain") {
		return []string{"deletes something elsewhere"}
	}
	if word(argv, "apply", "create", "deploy", "up", "merge", "push", "put", "patch", "replace", "scale", "edit", "update", "sync", "cp", "mv", "set", "run", "exec", "release") ||
		name == "ansible-playbook" {
		return []string{"changes something elsewhere"}
	}
	return nil
}
