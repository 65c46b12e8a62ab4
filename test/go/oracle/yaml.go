package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"strings"

	documents "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// readYAML splits documents as kubectl does, expects one, and converts it to JSON as every Kubernetes client does. It
// refuses duplicate keys.
func readYAML(text string) (any, error) {
	reader := documents.NewYAMLReader(bufio.NewReader(strings.NewReader(text)))
	document, err := reader.Read()
	if err != nil {
		return nil, err
	}
	if _, err := reader.Read(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one document")
	}
	value, err := yaml.YAMLToJSONStrict(document)
	return json.RawMessage(value), err
}
