package units

import "testing"

func TestBytes(t *testing.T) {
	for n, want := range map[uint64]string{
		0: "0 B", 1023: "1023 B", 1024: "1 KiB", 17_971_985: "17.1 MiB", 1 << 40: "1 TiB", 1_047_000: "1022 KiB",
	} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestParseBytes(t *testing.T) {
	for text, want := range map[string]uint64{
		"0": 0, "1000": 1000, "512MiB": 512 << 20, "2GB": 2e9, "1.5G": 3 << 29, "64 kib": 64 << 10, "200MB": 200e6, "7B": 7, "2.01MB": 2_010_000,
	} {
		if got, err := ParseBytes(text); err != nil || got != want {
			t.Errorf("ParseBytes(%q) = %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "MB", "-1", "1XB", "NaN", "1e30GB", "12 apples"} {
		if got, err := ParseBytes(text); err == nil {
			t.Errorf("ParseBytes(%q) = %d, want an error", text, got)
		}
	}
}
