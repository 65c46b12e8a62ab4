package main

import (
	"fmt"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig/v3"
	"sigs.k8s.io/yaml"
)

type renderer struct{ options []string }

func (r renderer) text(text string, set parameters) (string, error) {
	parsed, err := template.New("").Funcs(sprig.GenericFuncMap()).Option(r.options...).Parse(text)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	if err := parsed.Execute(&out, set); err != nil {
		return "", err
	}
	return out.String(), nil
}

// deep renders every string of a value, including the keys of its maps.
func (r renderer) deep(value any, set parameters) (any, error) {
	switch value := value.(type) {
	case string:
		return r.text(value, set)
	case []any:
		out := make([]any, len(value))
		for i, item := range value {
			var err error
			if out[i], err = r.deep(item, set); err != nil {
				return nil, err
			}
		}
		return out, nil
	case map[string]any:
		out := make(map[string]any, len(value))
		for key, item := range value {
			rendered, err := r.text(key, set)
			if err != nil {
				return nil, err
			}
			if out[rendered], err = r.deep(item, set); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return value, nil
}

func (r renderer) patch(text string, set parameters) (patch any, err error) {
	if text == "" {
		return nil, nil
	}
	rendered, err := r.text(text, set)
	if err != nil {
		return nil, err
	}
	if err := yaml.Unmarshal([]byte(rendered), &patch); err != nil {
		return nil, fmt.Errorf("%w in %s", err, rendered)
	}
	if patch == nil {
		return nil, fmt.Errorf("an empty patch: %q", rendered)
	}
	return patch, nil
}
