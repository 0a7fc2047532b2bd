// Renders a Helm chart as Helm does, with the functions that the chart uses: render <templates> <context.json>
// Prints the text of each template as JSON.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

func indent(count int, text string) string {
	space := strings.Repeat(" ", count)
	return space + strings.ReplaceAll(text, "\n", "\n"+space)
}

// isEmpty is what `default` and `required` take for unset.
func isEmpty(value any) bool {
	return value == nil || value == "" || value == false || value == float64(0)
}

func run() error {
	root := template.New("chart").Option("missingkey=zero")
	root.Funcs(template.FuncMap{
		"include": func(name string, data any) (string, error) {
			var text strings.Builder
			err := root.ExecuteTemplate(&text, name, data)
			return text.String(), err
		},
		// JSON is YAML.
		"toYaml": func(value any) (string, error) {
			text, err := json.Marshal(value)
			return string(text), err
		},
		"indent":     indent,
		"nindent":    func(count int, text string) string { return "\n" + indent(count, text) },
		"quote":      func(value any) string { return fmt.Sprintf("%q", fmt.Sprint(value)) },
		"int":        func(value float64) int { return int(value) },
		"list":       func(values ...any) []any { return values },
		"contains":   func(part string, text string) bool { return strings.Contains(text, part) },
		"trimSuffix": func(end string, text string) string { return strings.TrimSuffix(text, end) },
		"trunc": func(length int, text string) string {
			if len(text) > length {
				return text[:length]
			}
			return text
		},
		"default": func(fallback any, value any) any {
			if isEmpty(value) {
				return fallback
			}
			return value
		},
		"required": func(message string, value any) (any, error) {
			if isEmpty(value) {
				return nil, fmt.Errorf("%s", message)
			}
			return value, nil
		},
		"fail": func(message string) (string, error) { return "", fmt.Errorf("%s", message) },
	})
	paths, err := filepath.Glob(filepath.Join(os.Args[1], "*"))
	if err != nil {
		return err
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if _, err := root.New(filepath.Base(path)).Parse(string(text)); err != nil {
			return err
		}
	}
	text, err := os.ReadFile(os.Args[2])
	if err != nil {
		return err
	}
	var context map[string]any
	if err := json.Unmarshal(text, &context); err != nil {
		return err
	}
	rendered := map[string]string{}
	for _, path := range paths {
		name := filepath.Base(path)
		var out strings.Builder
		if err := root.ExecuteTemplate(&out, name, context); err != nil {
			return err
		}
		rendered[name] = out.String()
	}
	return json.NewEncoder(os.Stdout).Encode(rendered)
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
