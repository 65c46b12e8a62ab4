import { execFileSync } from 'node:child_process';
import { goTool } from './go-tools';

const HELM_RENDERS = goTool('helm-renders');

/** A chart that Helm renders, and its options. */
export interface HelmQuestion {
  /** The files of the chart by path, or the packaged chart as archive.tgz. */
  readonly files: Readonly<Record<string, string | Buffer>>;
  readonly values?: object;
  readonly name?: string;
  readonly namespace?: string;
  readonly kubeVersion?: string;
  readonly apiVersions?: readonly string[];
  /** Whether to answer with the output of `helm template --include-crds` instead of the texts of the templates. */
  readonly output?: boolean;
}

interface HelmHook {
  readonly name: string;
  readonly kind: string;
  readonly path: string;
  readonly manifest: string;
  readonly events: readonly string[];
  readonly weight?: number;
  readonly delete_policies?: readonly string[];
}

/** Helm's result for a chart: the text of each template by path, the output, or the error. */
export interface HelmAnswer {
  readonly output?: string;
  readonly hooks?: readonly HelmHook[];
  readonly texts?: Readonly<Record<string, string>>;
  readonly error?: string;
}

/** Renders many charts with Helm in one process. */
export function askHelm(questions: readonly HelmQuestion[]): readonly HelmAnswer[] {
  const lines = questions.map(({ files, ...rest }) =>
    JSON.stringify({
      name: 'test',
      namespace: 'default',
      ...rest,
      files: Object.fromEntries(
        Object.entries(files).map(([path, content]) => [path, Buffer.from(content).toString('base64')]),
      ),
    }),
  );
  const answers = execFileSync(HELM_RENDERS, [], { input: lines.join('\n'), encoding: 'utf8', maxBuffer: 2 ** 30 });
  return answers
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as HelmAnswer);
}

/** Renders each template with Helm in a separate chart. */
export function askTemplates(templates: readonly string[], values: object = {}): readonly HelmAnswer[] {
  return askHelm(
    templates.map((template) => ({
      files: { 'Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n', 'templates/a.yaml': template },
      values,
    })),
  );
}
