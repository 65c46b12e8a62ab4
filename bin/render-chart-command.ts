import type { Problem } from '#base/findings/problem';
import { ChartError } from '#helm/chart/chart-error';
import { templateOutput } from '#helm/chart/output';
import { readChartAt } from '#helm/chart/read-chart-at';
import { DEFAULT_KUBE_VERSION } from '#helm/kube-version';
import { renderTexts } from '#helm/render';
import { type ChartValues, chartValues, ValuesFileError } from '#lib/cli/chart-values';
import { CLI_FINDINGS } from '#lib/cli/findings';
import { chartProblem } from '#linkerd/renderers/findings';
import { EXIT, Misuse, problemReport, type Terminal } from './terminal';
import { readFile, readStdin, type ValuesOptions } from './values-options';

/** The options of `render` for charts in folders and archives, as in `helm template`. */
export interface RenderChartOptions extends ValuesOptions {
  readonly name?: string;
  readonly namespace?: string;
  readonly kubeVersion?: string;
  readonly apiVersions?: readonly string[];
  readonly includeCrds?: true;
  readonly skipTests?: true;
  readonly hooks?: boolean;
  readonly skipSchemaValidation?: true;
}

/** Renders the chart in a folder or an archive to standard output, with the bytes of `helm template`. */
export async function renderChartAt(path: string, options: RenderChartOptions, terminal: Terminal): Promise<number> {
  try {
    const values = await readChartValues(options, terminal);
    const chart = readChartAt(path);
    const { name = 'release-name', namespace = 'default', kubeVersion = DEFAULT_KUBE_VERSION } = options;
    const { apiVersions, skipSchemaValidation, includeCrds, skipTests, hooks: withHooks } = options;
    const texts = renderTexts(chart, { name, namespace, kubeVersion, apiVersions, values, skipSchemaValidation });
    terminal.stdout.write(templateOutput(texts, { includeCrds, skipTests, withHooks }));
    return EXIT.done;
  } catch (error) {
    const problem = problemOf(error);
    if (problem === undefined) throw error;
    terminal.stderr.write(problemReport([problem]));
    return EXIT.refused;
  }
}

function problemOf(error: unknown): Problem | undefined {
  if (error instanceof ChartError) return chartProblem(error);
  if (error instanceof ValuesFileError)
    return CLI_FINDINGS.fileUnreadableValues({ file: error.file, reason: error.reason });
  return undefined;
}

async function readChartValues(options: ValuesOptions, terminal: Terminal): Promise<ChartValues> {
  const {
    values: paths = [],
    set: typed = [],
    setString: strings = [],
    setFile: contents = [],
    setJson: json = [],
  } = options;
  const files: { file: string; text: string }[] = [];
  for (const path of paths) {
    files.push(
      path === '-'
        ? { file: 'standard input', text: await readStdin(terminal) }
        : { file: path, text: readFile(path, terminal) },
    );
  }
  try {
    return chartValues({ files, json, typed, strings, contents }, (path) => readFile(path, terminal));
  } catch (error) {
    if (error instanceof SyntaxError) throw new Misuse(`a --set option is not in Helm's syntax: ${error.message}`);
    throw error;
  }
}
