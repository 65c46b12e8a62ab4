// Oracle parses texts with the Go code of Kubernetes, for tests that compare our parsers with it.
//
// It reads one JSON string per line, and prints an answer per line: {"value": …} or {"error": "…"}.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"os"
)

type question func(text string) (value any, err error)

var questions = map[string]question{
	"yaml":           readYAML,
	"duration":       readDuration,
	"cron":           readCron,
	"cron-times":     readCronTimes,
	"dns-label":      readDNSLabel,
	"dns-subdomain":  readDNSSubdomain,
	"host":           readHost,
	"label-value":    readLabelValue,
	"label-key":      readLabelKey,
	"annotation-key": readAnnotationKey,
	"image":          readImage,
	"x509-chain":     readChain,
}

type answer struct {
	Value any    `json:"value"`
	Error string `json:"error,omitempty"`
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 || questions[os.Args[1]] == nil {
		log.Fatalf("usage: oracle QUESTION < texts.jsonl; got %q", os.Args[1:])
	}
	ask := questions[os.Args[1]]
	in := json.NewDecoder(bufio.NewReaderSize(os.Stdin, 1<<20))
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	for in.More() {
		var text string
		if err := in.Decode(&text); err != nil {
			log.Fatal(err)
		}
		if err := encoder.Encode(reply(ask, text)); err != nil {
			log.Fatal(err)
		}
	}
}

func reply(ask question, text string) (a answer) {
	defer func() {
		if fault := recover(); fault != nil {
			a = answer{Error: fmt.Sprint("panic: ", fault)}
		}
	}()
	value, err := ask(text)
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Value: value}
}
