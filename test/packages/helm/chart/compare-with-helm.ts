import { type Chart, readArchive, readChart } from '#helm/chart/chart';
import { ChartError } from '#helm/chart/chart-error';
import { templateOutput } from '#helm/chart/output';
import { type RenderOptions, renderTexts } from '#helm/render';
import { askHelm, type HelmAnswer, type HelmQuestion } from '#test/support/helm-oracle';

/** The files of a chart by their paths. */
export type Files = Readonly<Record<string, string | Buffer>>;

/** A chart with this name and these additional files. */
export function chartFiles(files: Files, name = 'parent'): Files {
  return { 'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`, ...files };
}

/** The files of a dependency in `charts/` of another chart. */
export function inCharts(name: string, files: Files): Files {
  return Object.fromEntries(
    Object.entries(chartFiles(files, name)).map(([path, content]) => [`charts/${name}/${path}`, content]),
  );
}

/** Reads a chart like the loader of folders. */
export function chartOf(files: Files): Chart {
  const archive = files['archive.tgz'];
  if (archive !== undefined) return readArchive(Buffer.from(archive));
  const sorted = Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1));
  return readChart(new Map(sorted.map(([path, content]) => [path, Buffer.from(content)])));
}

/** The options that render a question of a test. */
export function optionsOf({ name, namespace, kubeVersion, apiVersions, values }: HelmQuestion): RenderOptions {
  return {
    name: name ?? 'test',
    namespace: namespace ?? 'default',
    kubeVersion: kubeVersion ?? 'v1.20.0',
    apiVersions,
    values: values as Record<string, unknown> | undefined,
  };
}

/** The output of this renderer for a chart, or its error. */
export function ourOutput(question: HelmQuestion): HelmAnswer {
  try {
    const output = templateOutput(renderTexts(chartOf(question.files), optionsOf(question)), { includeCrds: true });
    return { output };
  } catch (error) {
    if (error instanceof ChartError) return { error: error.message };
    throw error;
  }
}

/** Expects Helm's exact output for each chart. @returns the outputs */
export function expectHelmsOutput(questions: readonly HelmQuestion[]): readonly string[] {
  const answers = askHelm(questions.map((question) => ({ ...question, output: true })));
  return questions.map((question, index) => {
    const answer = answers[index];
    expect(ourOutput(question)).toEqual({ output: answer?.output ?? `refused by Helm: ${answer?.error}` });
    return answer?.output ?? '';
  });
}

/** Expects that both Helm and this renderer refuse each chart. @returns both reasons */
export function expectRefusal(questions: readonly HelmQuestion[]): readonly { ours: string; helms: string }[] {
  const answers = askHelm(questions.map((question) => ({ ...question, output: true })));
  return questions.map((question, index) => {
    const ours = ourOutput(question);
    const helms = answers[index];
    expect({ ours: ours.error ?? ours.output, helms: helms?.error ?? helms?.output }).toEqual({
      ours: ours.error,
      helms: helms?.error,
    });
    return { ours: ours.error ?? '', helms: helms?.error ?? '' };
  });
}
