package workloads

import (
	"math"
	"os"
	"testing"
)

// tracesDir holds public traces that are not part of the project.
const tracesDir = "../../shared/traces/"

// publicTrace replays one of them; needTraces skips the test where the folder is not there.
func publicTrace(t *testing.T, name string) Workload {
	t.Helper()
	needTraces(t)
	return mustParse(t, "replay:"+tracesDir+name, 0)
}

func needTraces(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(tracesDir); err != nil {
		t.Skipf("skipped: the public traces are not in %s", tracesDir)
	}
}

func checkLog(t *testing.T, w Workload, truth Truth, events, keys, n, members, deleted, strangers, requests, missed uint64) {
	t.Helper()
	got := [8]uint64{w.Log.Events, w.Log.Keys, w.N, w.Members, w.Deleted, w.Strangers, w.Log.Requests, w.Log.Absent}
	want := [8]uint64{events, keys, n, members, deleted, strangers, requests, missed}
	if got != want || w.Log.Malformed != 0 {
		t.Errorf("events, keys, N, members, deleted, strangers, requests, absent are\n%v, want\n%v; %d malformed", got, want, w.Log.Malformed)
	}
	checkWorkload(t, w, 1, truth)
}

func TestTraceApache(t *testing.T) {
	w := publicTrace(t, "elastic_apache_combined.log.gz")
	checkLog(t, w, ProvenAbsent, 10_000, 1368, 1261, 1261, 0, 66, 10_000, 213)
	if w.Log.Format != "access" || w.Log.AbsentKeys != 66 || w.Log.Unknown != 168 {
		t.Errorf("log %+v", *w.Log)
	}
}

func TestTracePebble(t *testing.T) {
	w := publicTrace(t, "git_pebble_lifecycle.csv.gz")
	checkLog(t, w, AssumedAbsent, 30_817, 2999, 1564, 1416, 1583, 0, 26_185, 0)
	adds, removes := 0, 0
	for op := range w.Load(1) {
		if op.Kind == Add {
			adds++
		} else {
			removes++
		}
	}
	if w.Log.Format != "ops" || !w.Churns || adds != 3024 || removes != 1608 {
		t.Errorf("format %s, churns %v, %d adds, %d removes; want 3,024 and 1,608", w.Log.Format, w.Churns, adds, removes)
	}
}

func TestTraceShop(t *testing.T) {
	w := publicTrace(t, "cache2k_web07.keys.gz")
	checkLog(t, w, AssumedAbsent, 76_118, 20_484, 8674, 8674, 0, 11_810, 60_895, 23_179)
	if share := float64(w.Log.Absent) / float64(w.Log.Requests); math.Abs(share-0.3806) > 0.00005 {
		t.Errorf("%.4f of the later reads are absent, want 0.3806", share)
	}
}

func TestTraceVault(t *testing.T) {
	w := publicTrace(t, "corda_vaultservice.keys.gz")
	checkLog(t, w, AssumedAbsent, 135_702, 90_468, 18_097, 18_097, 0, 72_371, 108_562, 108_551)
	if share := float64(w.Log.Absent) / float64(w.Log.Requests); math.Abs(share-0.9999) > 0.00005 {
		t.Errorf("%.5f of the later reads are absent, want 0.9999", share)
	}
}

// TestTraceTables refuses tables whose columns this lab does not read.
func TestTraceTables(t *testing.T) {
	needTraces(t)
	for _, name := range []string{"meta_kvcache_sample_1.csv", "meta_blockcache_sample_1.csv"} {
		_, err := Parse(t.Context(), "replay:"+tracesDir+name, 0, ReplayOptions{Warmup: DefaultWarmup})
		checkInputError(t, name, err, "is a table with the columns op_time,")
	}
}
