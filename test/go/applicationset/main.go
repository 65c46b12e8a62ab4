// Applicationset generates, for the tests, the Applications of an ApplicationSet as Argo CD's controller does: with
// Go's text/template, the functions of sprig, and path.Match for the folders.
//
// It reads one {"spec", "clusters", "folders", "revisions"} per line, and prints an answer per line:
// {"applications": [{"template", "patch"}]} or {"error": "…"}.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"maps"
	"os"
	"path"
	"strings"
)

type input struct {
	Spec struct {
		GoTemplateOptions []string
		Generators        []generator
		Template          any
		TemplatePatch     string
	}
	// Registered clusters, as the cluster generator's parameters.
	Clusters []parameters
	// All folders of the repository.
	Folders []string
	// All folders by revision, in place of Folders. Other revisions do not exist.
	Revisions map[string][]string
}

type generator struct {
	Git *struct {
		Revision    string
		Directories []struct{ Path string }
	}
	Clusters *struct {
		Selector struct{ MatchLabels map[string]string }
	}
	Matrix *struct{ Generators []generator }
}

type parameters = map[string]any

type application struct {
	Template any `json:"template"`
	Patch    any `json:"patch,omitempty"`
}

type answer struct {
	Applications []application `json:"applications,omitempty"`
	Error        string        `json:"error,omitempty"`
}

func main() {
	log.SetFlags(0)
	in := json.NewDecoder(bufio.NewReader(os.Stdin))
	out := json.NewEncoder(os.Stdout)
	for in.More() {
		var question input
		if err := in.Decode(&question); err != nil {
			log.Fatal(err)
		}
		var reply answer
		applications, err := generate(question)
		if err != nil {
			reply.Error = err.Error()
		} else {
			reply.Applications = applications
		}
		if err := out.Encode(reply); err != nil {
			log.Fatal(err)
		}
	}
}

func generate(in input) (applications []application, err error) {
	r := renderer{options: in.Spec.GoTemplateOptions}
	for _, g := range in.Spec.Generators {
		sets, err := r.parameterSets(g, in, nil)
		if err != nil {
			return nil, err
		}
		for _, set := range sets {
			var a application
			if a.Template, err = r.deep(in.Spec.Template, set); err != nil {
				return nil, err
			}
			if a.Patch, err = r.patch(in.Spec.TemplatePatch, set); err != nil {
				return nil, err
			}
			applications = append(applications, a)
		}
	}
	return applications, nil
}

func (r renderer) parameterSets(g generator, in input, outer parameters) (sets []parameters, err error) {
	switch {
	case g.Matrix != nil:
		sets = []parameters{{}}
		for _, inner := range g.Matrix.Generators {
			var product []parameters
			for _, set := range sets {
				more, err := r.parameterSets(inner, in, set)
				if err != nil {
					return nil, err
				}
				for _, m := range more {
					joined := maps.Clone(set)
					maps.Copy(joined, m)
					product = append(product, joined)
				}
			}
			sets = product
		}
	case g.Clusters != nil:
		for _, cluster := range in.Clusters {
			if matches(cluster, g.Clusters.Selector.MatchLabels) {
				sets = append(sets, cluster)
			}
		}
	case g.Git != nil:
		folders, err := r.foldersOf(g.Git.Revision, in, outer)
		if err != nil {
			return nil, err
		}
		for _, directory := range g.Git.Directories {
			pattern := directory.Path
			// Only the inner generators of a matrix are templates.
			if outer != nil {
				if pattern, err = r.text(pattern, outer); err != nil {
					return nil, err
				}
			}
			for _, folder := range folders {
				match, err := path.Match(pattern, folder)
				if err != nil {
					return nil, err
				}
				if match {
					sets = append(sets, parameters{"path": parameters{
						"path":     folder,
						"basename": path.Base(folder),
						"segments": strings.Split(folder, "/"),
					}})
				}
			}
		}
	}
	return sets, nil
}

func (r renderer) foldersOf(revision string, in input, outer parameters) (folders []string, err error) {
	if in.Revisions == nil {
		return in.Folders, nil
	}
	if outer != nil {
		if revision, err = r.text(revision, outer); err != nil {
			return nil, err
		}
	}
	folders, exists := in.Revisions[revision]
	if !exists {
		return nil, fmt.Errorf("no revision %q", revision)
	}
	return folders, nil
}

func matches(cluster parameters, labels map[string]string) bool {
	metadata, _ := cluster["metadata"].(parameters)
	own, _ := metadata["labels"].(parameters)
	for key, value := range labels {
		if own[key] != value {
			return false
		}
	}
	return true
}
