// Command helm-renders renders charts with Helm. It reads a question per line and prints an answer per line, as JSON.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"sort"
	"strings"

	"helm.sh/helm/v3/pkg/action"
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/release"
)

// question is a chart (the contents of its files by path), and the inputs of its rendering.
type question struct {
	Files       map[string][]byte      `json:"files"`
	Values      map[string]interface{} `json:"values"`
	Name        string                 `json:"name"`
	Namespace   string                 `json:"namespace"`
	KubeVersion string                 `json:"kubeVersion"`
	APIVersions []string               `json:"apiVersions"`
	// Output requests the output of "helm template --include-crds" instead of the texts of the templates.
	Output bool `json:"output"`
}

// answer is the text of each template, the output and the hooks, or the error that Helm reports.
type answer struct {
	Texts  map[string]string `json:"texts,omitempty"`
	Output string            `json:"output,omitempty"`
	Hooks  []*release.Hook   `json:"hooks,omitempty"`
	Error  string            `json:"error,omitempty"`
}

func main() {
	// Drops Helm's warnings about values that it ignores.
	log.SetOutput(io.Discard)
	questions := json.NewDecoder(bufio.NewReader(os.Stdin))
	writer := bufio.NewWriter(os.Stdout)
	defer writer.Flush()
	answers := json.NewEncoder(writer)
	answers.SetEscapeHTML(false)
	for questions.More() {
		var asked question
		if err := questions.Decode(&asked); err != nil {
			panic(err)
		}
		given, err := reply(asked)
		if err != nil {
			given = answer{Error: err.Error()}
		}
		if err := answers.Encode(given); err != nil {
			panic(err)
		}
	}
}

func reply(asked question) (answer, error) {
	loaded, err := load(asked.Files)
	if err != nil {
		return answer{}, err
	}
	if asked.Output {
		return output(loaded, asked)
	}
	texts, err := render(loaded, asked)
	return answer{Texts: texts}, err
}

func load(contents map[string][]byte) (*chart.Chart, error) {
	if archive, ok := contents["archive.tgz"]; ok {
		return loader.LoadArchive(bytes.NewReader(archive))
	}
	var files []*loader.BufferedFile
	for name, data := range contents {
		files = append(files, &loader.BufferedFile{Name: name, Data: data})
	}
	// Helm reads the files of a folder in this order.
	sort.Slice(files, func(i, j int) bool { return files[i].Name < files[j].Name })
	return loader.LoadFiles(files)
}

// output does what "helm template --include-crds" does after it has loaded the chart.
func output(loaded *chart.Chart, asked question) (answer, error) {
	if err := action.CheckDependencies(loaded, loaded.Metadata.Dependencies); err != nil {
		return answer{}, err
	}
	if loaded.Metadata.Type == "library" {
		return answer{}, errors.New("library charts are not installable")
	}
	install := action.NewInstall(&action.Configuration{Log: func(string, ...interface{}) {}})
	install.DryRun = true
	install.ClientOnly = true
	install.Replace = true
	install.IncludeCRDs = true
	install.ReleaseName = asked.Name
	install.Namespace = asked.Namespace
	install.APIVersions = asked.APIVersions
	if asked.KubeVersion != "" {
		version, err := chartutil.ParseKubeVersion(asked.KubeVersion)
		if err != nil {
			return answer{}, err
		}
		install.KubeVersion = version
	}
	rendered, err := install.Run(loaded, asked.Values)
	if err != nil {
		return answer{}, err
	}
	var printed strings.Builder
	fmt.Fprintln(&printed, strings.TrimSpace(rendered.Manifest))
	for _, hook := range rendered.Hooks {
		fmt.Fprintf(&printed, "---\n# Source: %s\n%s\n", hook.Path, hook.Manifest)
	}
	return answer{Output: printed.String(), Hooks: rendered.Hooks}, nil
}

func render(loaded *chart.Chart, asked question) (map[string]string, error) {
	if err := chartutil.ProcessDependenciesWithMerge(loaded, asked.Values); err != nil {
		return nil, err
	}
	capabilities := chartutil.DefaultCapabilities.Copy()
	if asked.KubeVersion != "" {
		version, err := chartutil.ParseKubeVersion(asked.KubeVersion)
		if err != nil {
			return nil, err
		}
		capabilities.KubeVersion = *version
	}
	capabilities.APIVersions = append(capabilities.APIVersions, asked.APIVersions...)
	options := chartutil.ReleaseOptions{Name: asked.Name, Namespace: asked.Namespace, Revision: 1, IsInstall: true}
	values, err := chartutil.ToRenderValues(loaded, asked.Values, options, capabilities)
	if err != nil {
		return nil, err
	}
	return engine.Render(loaded, values)
}
