import { askHelm } from '#test/support/helm-oracle';
import { render } from '../functions/render';

const CHART = 'apiVersion: v2\nname: chart\nversion: 1.0.0\n';

/** The values that a template prints differently in Helm. */
export function valuesThatDiffer(template: string, values: readonly unknown[]): readonly object[] {
  const files = { 'Chart.yaml': CHART, 'templates/a.yaml': template };
  const answers = askHelm(values.map((value) => ({ files, values: { value } })));
  return values.flatMap((value, i) => {
    const helm = answers[i]?.texts?.['chart/templates/a.yaml'];
    const ours = render(template, { value });
    const isSame = helm === undefined ? 'error' in ours : 'text' in ours && ours.text === helm;
    return isSame ? [] : [{ value, helm: helm ?? answers[i]?.error, ours }];
  });
}
