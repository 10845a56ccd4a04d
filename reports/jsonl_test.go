package reports

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"filterlab/harness"
)

func TestResultsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOfN(rapid.Custom(anyResult), 0, 5).Draw(t, "results")
		var b bytes.Buffer
		if err := WriteResults(&b, want); err != nil {
			t.Fatal(err)
		}
		got, err := ReadResults(&b)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) || len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Fatalf("read %+v, want %+v", got, want)
		}
	})
}

func TestReadResultsErrors(t *testing.T) {
	var b bytes.Buffer
	if err := WriteResults(&b, twoTrials()); err != nil {
		t.Fatal(err)
	}
	good := b.String()
	for _, c := range []struct{ name, text, want string }{
		{"cut off", good[:len(good)-20], "line 2: "},
		{"not JSON", good + "\n\nhello\n", "line 5: "},
		{"another kind of JSON", "{}\n", "line 1: no variant or no workload: not a result"},
		{"a wrong type", `{"variant": 3}`, "line 1: "},
	} {
		_, err := ReadResults(strings.NewReader(c.text))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %q, want one line that starts with %q", c.name, err, c.want)
		}
	}
	got, err := ReadResults(strings.NewReader("\n" + strings.ReplaceAll(good, "\n", "\r\n\r\n")))
	if err != nil || len(got) != 2 {
		t.Errorf("%d results (%v) with empty lines between, want 2", len(got), err)
	}
}

func TestWriteResultsRefusesNaN(t *testing.T) {
	zero := 0.0
	bad := zero / zero
	err := WriteResults(&bytes.Buffer{}, []harness.Result{{Variant: "a", Workload: "b", FPR: &bad}})
	if err == nil || !strings.HasPrefix(err.Error(), "result 1: ") {
		t.Errorf("error %v, want that result 1 cannot be written", err)
	}
}

// FuzzReadResults reads anything without a panic, and what it accepts can be drawn and written again.
func FuzzReadResults(f *testing.F) {
	var b bytes.Buffer
	if err := WriteResults(&b, everything()[:40]); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte(`{"variant":"bloom","workload":"random-ids","n":1,"p":0.5,"timings":[{"op":"add","median_ns":1}]}`))
	f.Add([]byte("\n\n{"))
	f.Fuzz(func(t *testing.T, text []byte) {
		results, err := ReadResults(bytes.NewReader(text))
		if err != nil {
			return
		}
		var again bytes.Buffer
		if err := WriteResults(&again, results); err != nil {
			t.Fatal(err)
		}
		back, err := ReadResults(&again)
		if err != nil || len(back) != len(results) {
			t.Fatalf("%d results came back as %d (%v)", len(results), len(back), err)
		}
		_ = Table(results)
	})
}
