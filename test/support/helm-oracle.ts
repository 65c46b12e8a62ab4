import { execFileSync } from 'node:child_process';
import { goTool } from './go-tools';

const HELM_RENDERS = goTool('helm-renders');

/** What Helm is to render. */
export interface HelmQuestion {
  /** The files of the chart, by their paths in it; or the packaged chart, as archive.tgz. */
  readonly files: Readonly<Record<string, string | Buffer>>;
  readonly values?: object;
  readonly name?: string;
  readonly namespace?: string;
  readonly kubeVersion?: string;
  readonly apiVersions?: readonly string[];
  /** Whether to answer with what `helm template --include-crds` prints, in the place of the texts of the templates. */
  readonly output?: boolean;
}

/** A hook as Helm reads it. */
interface HelmHook {
  readonly name: string;
  readonly kind: string;
  readonly path: string;
  readonly manifest: string;
  readonly events: readonly string[];
  readonly weight?: number;
  readonly delete_policies?: readonly string[];
}

/** What Helm made of a chart: the text of each template by its path, the output, or the error it reports. */
export interface HelmAnswer {
  readonly output?: string;
  readonly hooks?: readonly HelmHook[];
  readonly texts?: Readonly<Record<string, string>>;
  readonly error?: string;
}

/** Asks Helm about many charts in one process. */
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

/** Asks Helm what the template of a chart with nothing else prints. */
export function askTemplates(templates: readonly string[], values: object = {}): readonly HelmAnswer[] {
  return askHelm(
    templates.map((template) => ({
      files: { 'Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n', 'templates/a.yaml': template },
      values,
    })),
  );
}
