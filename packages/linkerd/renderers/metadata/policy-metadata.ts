import type { RenderContext } from '../../charts/render-context';
import { type CreatorValues, creator } from './created-by';
import { type LabelValues, withCommonLabels } from './labels';

/** Returns the metadata of the policy objects of an extension, without their names. */
export function policyMetadata(
  values: LabelValues & Pick<CreatorValues, 'linkerdVersion'>,
  { namespace }: RenderContext,
  own: Readonly<Record<string, string>>,
): { readonly namespace: string; labels: Record<string, string>; annotations: Record<string, string> } {
  return { namespace, labels: withCommonLabels(values, own), annotations: creator(values) };
}
