package sizing

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"filterlab/harness/units"
)

// ReadLink reads the question out of a link to the calculator at hur.st/bloomfilter, as its address
// bar shows it: n, p, m and k, any of them empty or absent. There p above 1 means 1 in p.
func ReadLink(text string) (Words, error) {
	fail := fmt.Errorf("%q is not a link such as https://hur.st/bloomfilter/?n=4000&p=1.0E-7&m=&k=", text)
	link := strings.TrimSpace(text)
	if !strings.Contains(link, "://") {
		link = "https://" + link
	}
	u, err := url.Parse(link)
	if err != nil || strings.TrimPrefix(u.Hostname(), "www.") != "hur.st" || strings.Trim(u.Path, "/") != "bloomfilter" {
		return Words{}, fail
	}
	q, err := url.ParseQuery(u.RawQuery)
	if err != nil || !q.Has("n") && !q.Has("p") && !q.Has("m") && !q.Has("k") {
		return Words{}, fail
	}
	w := Words{N: q.Get("n"), P: q.Get("p"), M: q.Get("m"), K: q.Get("k")}
	if odds, err := units.ParseRate(w.P); err == nil && odds > 1 && !strings.HasSuffix(strings.TrimSpace(w.P), "%") {
		w.P = strconv.FormatFloat(1/odds, 'g', -1, 64)
	}
	return w, nil
}
