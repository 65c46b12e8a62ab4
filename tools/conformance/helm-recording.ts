import { availableParallelism } from 'node:os';
import { mergeValues, type Values } from '#base/values';
import { type HelmChart, helmRender } from './helm-chart';
import { inParallel } from './in-parallel';
import type { RecordedVariant, Recording } from './recording';
import type { Variant } from './variants';

/** Renders a chart by Helm for base values, and for variants of them. */
export async function recordByHelm(
  chart: HelmChart,
  namespace: string,
  { baseValues, variants }: { readonly baseValues: Values; readonly variants: readonly Variant[] },
): Promise<Recording> {
  const base = await helmRender(chart, namespace, baseValues);
  if ('refused' in base) throw new Error(`${chart.path} refuses the values of the base: ${base.refused}`);
  const recorded = await inParallel(
    variants,
    availableParallelism(),
    async ({ name, values }): Promise<RecordedVariant> => {
      const render = await helmRender(chart, namespace, mergeValues(baseValues, values));
      return 'refused' in render ? { name, values } : { name, values, objects: render.objects };
    },
  );
  return { baseValues, base: base.objects, variants: recorded };
}
