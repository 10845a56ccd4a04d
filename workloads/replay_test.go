package workloads

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestRules replays the small logs by each rule and compares everything but the sentence.
func TestRules(t *testing.T) {
	stored := ReplayOptions{Stored: testdata + "stored.txt", Warmup: 0.5, MaxBad: 0}
	own := ReplayOptions{Warmup: 0.5, MaxBad: 0}
	for _, c := range []struct {
		file, format             string
		opts                     ReplayOptions
		truth                    Truth
		n, members, gone, absent uint64
		log                      Log // Events, Keys, Requests, Absent, AbsentKeys, Unknown
		rule                     string
		strangers, asked         string
	}{
		{"access.log", "access", own, ProvenAbsent, 4, 4, 0, 2,
			Log{Events: 11, Keys: 7, Requests: 11, Absent: 3, AbsentKeys: 2, Unknown: 1},
			"stored are the 4 keys answered 200, 206 or 304 at least once (of which answered 404 or 410 as well: 1); a key answered 404 or 410 and never so is proven absent; other answers prove nothing; lines without a key, left out: 1",
			`/items/9 /say\"hi\"`, "/items/1 /items/2 /items/2 /late /late /with space /items/1 /items/1"},
		{"ops.csv", "ops", own, AssumedAbsent, 3, 2, 2, 2,
			Log{Events: 17, Keys: 7, Requests: 7, Absent: 4, AbsentKeys: 3},
			"stored are the keys the log puts and has not deleted yet (2 at the end, 3 at the peak)",
			"never other", "a c,1 a a"},
		{"keys.txt", "keys", own, AssumedAbsent, 3, 3, 0, 2,
			Log{Events: 11, Keys: 5, Requests: 6, Absent: 3, AbsentKeys: 2},
			"stored are the 3 keys of the first 5 events (50 %)", "user4 user5", "user2 user1 user2 user2"},
		{"keys.txt", "keys", stored, ProvenAbsent, 3, 3, 0, 3,
			Log{Events: 11, Keys: 5, Requests: 11, Absent: 4, AbsentKeys: 3},
			"stored are the 3 keys listed in " + testdata + "stored.txt", "user3 user4 user5", "user1 user2 user1 user1 user2 user1 user2 user1"},
		{"ops.csv", "ops", stored, ProvenAbsent, 3, 3, 0, 2,
			Log{Events: 17, Keys: 7, Requests: 7, Absent: 3, AbsentKeys: 2, Unknown: 4},
			"that the log does not put, is proven absent", "never other", "user1 user2 user9 user1"},
	} {
		path := testdata + c.file
		w := mustReplay(t, "replay:"+path, 0, c.opts)
		if w.Name != "replay:"+path || w.N != c.n || w.Members != c.members || w.Deleted != c.gone || w.Strangers != c.absent || !w.Fixed {
			t.Errorf("%s: %q has N %d, %d members, %d deleted, %d strangers, fixed %v; want %d, %d, %d, %d", path,
				w.Name, w.N, w.Members, w.Deleted, w.Strangers, w.Fixed, c.n, c.members, c.gone, c.absent)
		}
		if !strings.Contains(w.Log.Rule, c.rule) {
			t.Errorf("%s: rule %q, want %q", path, w.Log.Rule, c.rule)
		}
		c.log.Path, c.log.Format, c.log.SHA256, c.log.Rule = path, c.format, fmt.Sprintf("%x", sha256.Sum256(readFile(t, path))), w.Log.Rule
		if fmt.Sprintf("%+v", *w.Log) != fmt.Sprintf("%+v", c.log) {
			t.Errorf("%s:\n got %+v\nwant %+v", path, *w.Log, c.log)
		}
		if want := float64(c.log.Requests-c.log.Absent-c.log.Unknown) / float64(c.log.Requests); w.Present != want {
			t.Errorf("%s: present %g, want %g", path, w.Present, want)
		}
		if got := strings.Join(keysOf(collect(t, w.Lookup(1, Mix{Strangers: 99})), c.truth), " "); got != c.strangers {
			t.Errorf("%s: strangers %s, want %s", path, got, c.strangers)
		}
		asked := keysOf(collect(t, w.Lookup(1, Mix{Members: 8})), Member)
		if got := strings.Join(asked, " "); !strings.HasPrefix(got+" ", c.asked+" ") {
			t.Errorf("%s: members asked for are %s, want %s", path, got, c.asked)
		}
		checkWorkload(t, w, 1, c.truth)
	}
}

// TestRandomLogs holds replays of random logs against an exact set.
func TestRandomLogs(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var log strings.Builder
		words := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"get", "put", "del"}), 1, 3, rapid.ID).Draw(rt, "words")
		for i := range rapid.IntRange(1, 120).Draw(rt, "events") {
			fmt.Fprintf(&log, "%d,%s,k%d\n", i, rapid.SampledFrom(words).Draw(rt, "op"), rapid.IntRange(0, 25).Draw(rt, "key"))
		}
		path := write(t, "ops.csv", []byte(log.String()))
		w, err := Parse(rt.Context(), "replay:"+path, 0, ReplayOptions{Warmup: 0.3})
		if err != nil {
			if !isInput(err) {
				rt.Fatalf("error %v is not ErrInput", err)
			}
			return
		}
		checkWorkload(rt, w, rapid.Uint64().Draw(rt, "seed"), AssumedAbsent)
		if w.Log.Absent+w.Log.Unknown > w.Log.Requests || w.Log.AbsentKeys > w.Log.Absent {
			rt.Errorf("requests do not add up: %+v", *w.Log)
		}
	})
}

// TestStoredBeforeTheLog reads a key that is deleted without having been put: until then nothing
// is known about it.
func TestStoredBeforeTheLog(t *testing.T) {
	path := write(t, "ops.csv", []byte("1,get,old\n2,put,new\n3,del,old\n4,get,old\n5,get,never\n"))
	w := mustParse(t, "replay:"+path, 0)
	if l := w.Log; l.Requests != 3 || l.Unknown != 1 || l.Absent != 2 || l.AbsentKeys != 2 || w.Strangers != 1 {
		t.Errorf("log %+v with %d strangers; want 1 unknown, 2 absent requests for 2 keys, 1 stranger", *l, w.Strangers)
	}
}

// TestNoMemberIsAskedFor gives the stored keys in turn where the log asks for none of them.
func TestNoMemberIsAskedFor(t *testing.T) {
	path := write(t, "ops.csv", []byte("1,put,a\n2,put,b\n"))
	w := mustParse(t, "replay:"+path, 0)
	if got := keysOf(collect(t, w.Lookup(1, Mix{Members: 3})), Member); !slices.Equal(got, []string{"a", "b", "a"}) {
		t.Errorf("members are %q", got)
	}
}

func TestReplayErrors(t *testing.T) {
	access := `h - - [t] "GET /a HTTP/1.1" 404 1` + "\n"
	usual := ReplayOptions{Warmup: 0.2, MaxBad: 0.001}
	for _, c := range []struct {
		name, content string
		opts          ReplayOptions
		want          string
	}{
		{"all absent", access, usual, "proves of no key that it is stored"},
		{"deletes only", "1,del,a\n2,get,a\n", usual, "deletes keys but puts none"},
		{"short", "a\nb\nc\n", usual, "a warm-up share of 0.2 of 3 events holds no key to store"},
		{"header only", "ts,op,key\n", usual, "holds no event in the format ops; want lines such as 1700000000,put,user123"},
		{"no warm-up", "a\n", ReplayOptions{}, "the warm-up share is 0; want more than 0"},
		{"all warm-up", "a\n", ReplayOptions{Warmup: 1}, "the warm-up share is 1"},
		{"negative", "a\n", ReplayOptions{Warmup: 0.2, MaxBad: -1}, "may be malformed is -1; want 0 to 1"},
	} {
		_, err := Parse(t.Context(), "replay:"+write(t, "log", []byte(c.content)), 0, c.opts)
		checkInputError(t, c.name, err, c.want)
	}
}

func TestReplayIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	path := write(t, "keys", bytes.Repeat([]byte("user\n"), 10_000))
	for _, stored := range []string{"", path} {
		_, err := Parse(ctx, "replay:"+path, 0, ReplayOptions{Stored: stored, Warmup: 0.2})
		if !errors.Is(err, context.Canceled) || isInput(err) {
			t.Errorf("stored %q: error %v, want that of the context", stored, err)
		}
	}
}

// TestKeySet holds the set against a map, over several growths and with the empty key.
func TestKeySet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set, want, r := newKeySet(), map[string]uint32{}, rng{rapid.Uint64().Draw(t, "seed")}
		for range rapid.IntRange(0, 6000).Draw(t, "keys") {
			key := fmt.Sprint(r.below(4000))[1:]
			if _, known := want[key]; !known {
				want[key] = uint32(len(want))
			}
			if got := set.number([]byte(key)); got != want[key] || string(set.key(got)) != key {
				t.Fatalf("key %q has number %d, want %d", key, got, want[key])
			}
		}
		if int(set.len()) != len(want) {
			t.Fatalf("%d keys, want %d", set.len(), len(want))
		}
	})
}
