package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"nod/ambiguity"
	"nod/queue"
)

func TestUpFromEachVersion(t *testing.T) {
	for version := range schemaVersion() + 1 {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			ctx := context.Background()
			path := filepath.Join(t.TempDir(), "nod", "nod.db")
			if err := errors.Join(makeDir(filepath.Dir(path)), build(ctx, path, version), writeKey(path, newKey())); err != nil {
				t.Fatal(err)
			}
			if version < schemaVersion() {
				_, err := Open(ctx, path, Options{ReadOnly: true})
				wantCode(t, "to read only", err, CodeReadonly)
			}
			s := opened(t, path, Options{})
			do(t, s, func(tx queue.Tx) error { return submit(tx, 1, body(1, 500)) })
			whole(t, s, []int{1})
			if app, got, err := marks(ctx, s.pool); app != applicationID || got != schemaVersion() || err != nil {
				t.Errorf("marks %x, %d, %v", app, got, err)
			}
		})
	}
}

// TestUpgradeKeepsTheAsks brings a store of the first version up that holds
// asks, and reads them with what came after.
func TestUpgradeKeepsTheAsks(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "nod", "nod.db")
	if err := errors.Join(makeDir(filepath.Dir(path)), build(ctx, path, 1), writeKey(path, newKey())); err != nil {
		t.Fatal(err)
	}
	pool, err := sql.Open("sqlite", dsn(path, false))
	if err != nil {
		t.Fatal(err)
	}
	const put = `INSERT INTO asks (seq, stretch, id, kind, state, urgency, action_digest, shown_digest, ask_digest, session,
		like_hash, events, call_key, call_hash, agent, user_name, host, tool, gist, gist_more, cwd, reasons, mandated,
		irreversible, created_at, answer_by, use_within_ms, due_at, moved_at, waiter_hash, waiter_until, rule_name, grant_id,
		replaces, words, verdict, decided_by, body) VALUES (?, 0, ?, 'call', ?, 3, 'ad', 'sd', 'kd', 's', 5, '1', 'k', 6, 'agent',
		'user', 'host', 'Bash', 'gist', 0, '/src', 'default', 0, 0, 10, 20, 30, ?, 40, 'w', 50, 'rule', 'grant', 'before', ?, ?, ?, ?)`
	_, err1 := pool.ExecContext(ctx, put, 1, "a-1", "pending", 20, "", "", "", "one")
	_, err2 := pool.ExecContext(ctx, put, 2, "a-2", "denied", 0, "no", "deny", "person", "two")
	_, err3 := pool.ExecContext(ctx, "INSERT INTO attempts VALUES (1, 't-1', 'a-2', 1, 'unknown', '', '', 0, '', 0, 0, 0, 0, '', '', 0, 0, '', 0)")
	_, err4 := pool.ExecContext(ctx, "INSERT INTO attempts VALUES (2, 't-2', 'a-2', 1, 'unknown', '', 'fixer', 1, 's', 100, 200, 100, 200, '', '', 0, 0, '', 1)")
	_, err5 := pool.ExecContext(ctx, "INSERT INTO attempts VALUES (3, 't-3', 'a-2', 2, 'not_executed', '', 'fixer', 0, 's', 300, 900, 600, 400, 'blocked', '', 0, 0, 'ref', 1)")
	_, err6 := pool.ExecContext(ctx, "INSERT INTO attempts VALUES (4, 't-4', 'a-2', 3, 'executing', '', 'fixer', 0, 's', 500, 900, 400, 0, '', '', 0, 0, '', 1)")
	if err := errors.Join(err1, err2, err3, err4, err5, err6, pool.Close()); err != nil {
		t.Fatal(err)
	}
	s := opened(t, path, Options{})
	view(t, s, func(tx queue.ReadTx) error {
		one, err1 := tx.Ask("a-1")
		two, err2 := tx.Ask("a-2")
		body, err3 := tx.AskBody(2)
		if err := errors.Join(err1, err2, err3); err != nil {
			return err
		}
		if one.State != queue.StatePending || one.Replaces != "before" || one.Tool != "Bash" || one.Edits || one.EditedTo != "" ||
			two.Words != "no" || two.DecidedBy != queue.ByPerson || string(body) != "two" {
			t.Errorf("%+v\n%+v\n%s", one, two, body)
		}
		return nil
	})
	// What was on the desk is an effect of its own, without a key, and stands as
	// its facts say.
	view(t, s, func(tx queue.ReadTx) error {
		open, _, err := tx.Effects(queue.QEffects{Open: true, Limit: 9})
		all, _, err2 := tx.Effects(queue.QEffects{Limit: 9})
		if len(open) != 1 || len(all) != 3 || open[0].ID != "t-2" || open[0].Key != "" || open[0].Ask != "a-2" || open[0].Tool != "Bash" {
			t.Errorf("open %+v, all %+v", open, all)
		}
		for i := range all {
			e := &all[i]
			attempts, err := tx.AttemptsOfEffect(e.ID)
			if err != nil || len(attempts) != 1 || attempts[0].Effect != e.ID {
				t.Fatalf("%s: attempts %+v, %v", e.ID, attempts, err)
			}
			facts, err := tx.Facts(e.ID)
			if err != nil {
				return err
			}
			var judged []ambiguity.Fact
			for _, f := range facts {
				judged = append(judged, ambiguity.Fact{Kind: f.Kind, Says: f.Says, Durable: f.Durable, Exit: f.Exit, Late: f.Late, Proof: f.Proof})
			}
			j := ambiguity.Judge(ambiguity.Contract{}, judged)
			if j.State != attempts[0].State || ambiguity.Stand([]ambiguity.State{j.State}) != e.Standing || j.Open != e.Open || j.Mark != e.Mark {
				t.Errorf("%s stands %+v and is judged %+v by %+v", e.ID, e, j, facts)
			}
		}
		return errors.Join(err, err2)
	})
	var broken int
	err = s.pool.QueryRowContext(ctx, "SELECT count(*) FROM pragma_foreign_key_check").Scan(&broken)
	if err != nil || broken != 0 {
		t.Errorf("%d references broken, %v", broken, err)
	}
	// The foreign key is still one to asks.
	if _, err := s.pool.ExecContext(ctx, "UPDATE attempts SET ask_id = 'nobody'"); err == nil {
		t.Error("an attempt may name no ask")
	}
}

// TestSchemaForSQLC compares what sqlc reads with what a migrated store has.
func TestSchemaForSQLC(t *testing.T) {
	s := fresh(t, Options{})
	text, err := os.ReadFile("schema.sql")
	if err != nil {
		t.Fatal(err)
	}
	stated := map[string]string{}
	for _, m := range regexp.MustCompile(`(?s)CREATE TABLE (\w+) \((.*?)\n\);`).FindAllStringSubmatch(string(text), -1) {
		for _, c := range regexp.MustCompile(`(\w+) (TEXT|BIGINT) NOT NULL`).FindAllStringSubmatch(m[2], -1) {
			stated[m[1]] += c[1] + " " + strings.Replace(c[2], "BIGINT", "INTEGER", 1) + "\n"
		}
	}
	rows, err := s.pool.QueryContext(context.Background(), `SELECT t.name, c.name, c.type, c."notnull" OR c.pk
		FROM pragma_table_list t JOIN pragma_table_info(t.name) c
		WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND t.name <> 'goose_db_version' ORDER BY t.name, c.cid`)
	if err != nil {
		t.Fatal(err)
	}
	actual := map[string]string{}
	for rows.Next() {
		var table, column, kind string
		var filled bool
		if err := rows.Scan(&table, &column, &kind, &filled); err != nil {
			t.Fatal(err)
		}
		if !filled {
			t.Errorf("%s.%s may be NULL", table, column)
		}
		actual[table] += column + " " + kind + "\n"
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		t.Fatal(err)
	}
	for table := range stated {
		if actual[table] == "" {
			t.Errorf("schema.sql has a table %s", table)
		}
	}
	for table, columns := range actual {
		if stated[table] != columns {
			t.Errorf("%s in the store\n%sin schema.sql\n%s", table, columns, stated[table])
		}
	}
	view := func(text string) string {
		return strings.Join(strings.Fields(regexp.MustCompile(`(?s)CREATE VIEW ask_rows.*?;`).FindString(text)), " ")
	}
	var made sql.NullString
	err = s.pool.QueryRowContext(context.Background(), "SELECT sql || ';' FROM sqlite_schema WHERE name = 'ask_rows'").Scan(&made)
	if err != nil || view(made.String) != view(string(text)) {
		t.Errorf("the view is\n%s\nand in schema.sql\n%s", made.String, view(string(text)))
	}
}

// queries gives every generated query by its name.
func queries(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("db/*.sql.go")
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]string{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if v, ok := n.(*ast.ValueSpec); ok && len(v.Values) == 1 {
				if lit, ok := v.Values[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
					text, err := strconv.Unquote(lit.Value)
					if err != nil {
						t.Fatal(err)
					}
					list[v.Names[0].Name] = text
				}
			}
			return true
		})
	}
	return list
}

// inOrder reports whether parameters first come as $1, $2, …: SQLite numbers
// them by their first appearance, whatever the digits say.
func inOrder(query string) bool {
	top := 0
	for _, m := range regexp.MustCompile(`\$(\d+)`).FindAllStringSubmatch(query, -1) {
		n, err := strconv.Atoi(m[1])
		if err != nil || n > top+1 {
			return false
		}
		top = max(top, n)
	}
	return true
}

func TestParametersComeInOrder(t *testing.T) {
	if inOrder("a = $2 AND b = $1") || !inOrder("a = $1 AND b = $2 OR c = $1") {
		t.Fatal("the test sees nothing")
	}
	list := queries(t)
	if len(list) < 40 {
		t.Fatalf("only %d queries found", len(list))
	}
	for name, query := range list {
		if !inOrder(query) {
			t.Errorf("%s: %s", name, query)
		}
	}
}

// TestQueriesUseAnIndex holds that no query scans asks, events or contents.
func TestQueriesUseAnIndex(t *testing.T) {
	s := fresh(t, Options{})
	for name, query := range queries(t) {
		rows, err := s.pool.QueryContext(context.Background(), "EXPLAIN QUERY PLAN "+query, make([]any, 60)[:strings.Count(numbered(query), "?")]...)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for rows.Next() {
			var id, parent, unused int
			var detail string
			if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
				t.Fatal(err)
			}
			bare := regexp.MustCompile(`^SCAN (asks|ask_rows|events|contents)( |$)`).MatchString(detail) && !strings.Contains(detail, "INDEX")
			// The few rows that a session's lookups find are sorted.
			sorts := name == "Sessions" || name == "OpenOfSession" || name == "SeqsLike" || name == "SeqByCallKey"
			if bare && name != "EventsAfter" && name != "LastEvent" && name != "HeadSeq" || strings.Contains(detail, "TEMP B-TREE") && !sorts {
				t.Errorf("%s: %s", name, detail)
			}
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

// numbered gives a query one ? for each parameter.
func numbered(query string) string {
	top := 0
	for _, m := range regexp.MustCompile(`\$(\d+)`).FindAllStringSubmatch(query, -1) {
		if n, err := strconv.Atoi(m[1]); err == nil {
			top = max(top, n)
		}
	}
	return strings.Repeat("?", top)
}

func TestPositional(t *testing.T) {
	for in, want := range map[string]string{
		"-- name: X :one\nSELECT $1, $2":          "SELECT ?, ?",
		"SELECT $1 WHERE a = $1":                  "SELECT $1 WHERE a = $1",
		"SELECT 1":                                "SELECT 1",
		"VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10)": "VALUES (?,?,?,?,?,?,?,?,?,?)",
		"a = $2 AND b = $1":                       "a = $2 AND b = $1",
	} {
		if got := positional(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
