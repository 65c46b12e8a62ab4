import { isMap, type Value, type Values } from '#base/values';
import { apiGroup } from '#kubernetes/objects/scope';
import { alsoWritingTo, type GroupKindName, type PinnedChart } from '#linkerd/charts/pinned-chart';

/** Returns a chart that also declares the objects that the user adds with the value `extraObjects`. */
export function withExtraObjects(chart: PinnedChart, { extraObjects }: Values): PinnedChart {
  const objects = (Array.isArray(extraObjects) ? extraObjects : []).flatMap(extraObject);
  if (objects.length === 0) return chart;
  const kinds = [...new Set([...chart.kinds, ...objects.map(({ kind }) => kind)])];
  return alsoWritingTo(
    { ...chart, kinds },
    objects.flatMap(({ namespaces }) => namespaces),
  );
}

interface ExtraObject {
  readonly kind: GroupKindName;
  readonly namespaces: readonly string[];
}

/** Reads an object, or the documents of a template: before it is rendered, regular expressions read its text. */
function extraObject(value: Value): readonly ExtraObject[] {
  if (typeof value === 'string') return value.split(/^---/m).flatMap((document) => extraObject(headOf(document)));
  if (!isMap(value)) return [];
  const { apiVersion, kind, metadata } = value;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return [];
  const place = isMap(metadata) ? metadata[kind === 'Namespace' ? 'name' : 'namespace'] : undefined;
  return [
    {
      kind: `${apiGroup(apiVersion)}/${kind}` as GroupKindName,
      namespaces: typeof place === 'string' && place !== '' ? [place] : [],
    },
  ];
}

function headOf(document: string): Values {
  const [, metadata = ''] = /^metadata:[ \t]*\n((?:[ \t]+.*\n?)*)/m.exec(document) ?? [];
  const field = (name: string, text = document, indent = '') =>
    new RegExp(`^${indent}${name}:[ \\t]*["']?([\\w./-]+)`, 'm').exec(text)?.[1];
  const [namespace, name] = ['namespace', 'name'].map((one) => field(one, metadata, '[ \\t]+'));
  return { apiVersion: field('apiVersion'), kind: field('kind'), metadata: { namespace, name } };
}
