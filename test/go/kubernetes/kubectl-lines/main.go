// Command kubectl-lines checks command lines with kubectl's own parser, and runs none. It reads a JSON list of words
// per line, and prints a JSON string per line: why the parser refuses the words; empty if it accepts them.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"k8s.io/cli-runtime/pkg/genericiooptions"
	kubectl "k8s.io/kubectl/pkg/cmd"
)

// MaxLine is the longest command line that is read.
const maxLine = 1 << 20

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		var words []string
		if err := json.Unmarshal(lines.Bytes(), &words); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		answer, _ := json.Marshal(refusal(words))
		fmt.Println(string(answer))
	}
}

// refusal returns why kubectl's parser refuses the arguments; empty if it accepts them.
func refusal(words []string) string {
	streams, _, _, _ := genericiooptions.NewTestIOStreams()
	root := kubectl.NewKubectlCommand(kubectl.KubectlOptions{IOStreams: streams, Arguments: append([]string{"kubectl"}, words...)})
	command, rest, err := root.Find(words)
	if err != nil {
		return err.Error()
	}
	if command == root || (!command.Runnable() && len(command.Commands()) > 0) {
		return "no command of kubectl: " + strings.Join(words, " ")
	}
	if err := command.ParseFlags(rest); err != nil {
		return err.Error()
	}
	arguments := command.Flags().Args()
	if command.HasSubCommands() && len(arguments) > 0 {
		return fmt.Sprintf("unknown command %q of %q", arguments[0], command.CommandPath())
	}
	if err := command.ValidateArgs(arguments); err != nil {
		return err.Error()
	}
	if err := command.ValidateRequiredFlags(); err != nil {
		return err.Error()
	}
	return ""
}
