import type { Problem } from '#base/findings/problem';
import { GO_DURATION_MAX_MS } from '#base/go-duration';
import { SECOND } from '#base/time-units';
import { stringifyYaml } from '#base/yaml-writer';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { durationText } from '#kubernetes/options/duration-like';
import { escapeTemplate } from '../../gitops/charts/template-escape';
import { LIBRARY_VERSION } from '../../gitops/synth/output/library-version';
import { type InstalledOperator, installedOperator } from './installed-operator';

/** The files of a chart by path, or the problems. */
export type OperatorChart =
  | { readonly files: ReadonlyMap<string, string>; readonly warnings: readonly Problem[] }
  | { readonly problems: readonly Problem[] };

const NAME = 'linkerd-reconciler';

/** The longest duration of Go, in seconds. */
const LONGEST = Math.floor(GO_DURATION_MAX_MS / SECOND);

/** A value of the chart: its field in the objects, and its schema. */
interface ChartValue {
  readonly name: string;
  readonly comment: string;
  readonly schema: object;
  /** Namespaces are parts of other texts, so the objects are built with placeholders. Other values are whole fields. */
  readonly in: 'texts' | { readonly kind: string; readonly path: readonly (string | number)[] };
}

const DNS_LABEL = { type: 'string', pattern: '^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$' };
/** Without leading zeros, which would be octal in templates. */
const NUMBER = '(0|[1-9][0-9]{0,6})';
const DURATION = { type: 'string', pattern: `^${NUMBER}h(${NUMBER}m)?(${NUMBER}s)?(${NUMBER}ms)?$` };
const REGISTRY = '([A-Za-z0-9.-]+|\\[[A-Fa-f0-9:]+\\])(:[0-9]+)?';
const PATH = '[a-z0-9]+(([._]|__|-+)[a-z0-9]+)*';
const DIGEST = '@(sha256:[a-f0-9]{64}|sha384:[a-f0-9]{96}|sha512:[a-f0-9]{128})';
const IMAGE = {
  type: 'string',
  pattern: `^(${REGISTRY}/)?${PATH}(/${PATH})*(:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}(${DIGEST})?|${DIGEST})$`,
  not: { pattern: ':latest$' },
};

const CHART_VALUES: readonly ChartValue[] = [
  { name: 'namespace', comment: 'Namespace of the operator.', schema: DNS_LABEL, in: 'texts' },
  { name: 'linkerdNamespace', comment: "Namespace of Linkerd's control plane.", schema: DNS_LABEL, in: 'texts' },
  { name: 'certManagerNamespace', comment: 'Namespace of cert-manager.', schema: DNS_LABEL, in: 'texts' },
  { name: 'cniNamespace', comment: "Namespace of Linkerd's CNI plugin.", schema: DNS_LABEL, in: 'texts' },
  {
    name: 'image',
    comment: 'Image of its pods.',
    schema: IMAGE,
    in: { kind: 'Deployment', path: ['spec', 'template', 'spec', 'containers', 0, 'image'] },
  },
  {
    name: 'replicas',
    comment: 'Number of pods that answer webhooks.',
    schema: { type: 'integer', minimum: 1 },
    in: { kind: 'Deployment', path: ['spec', 'replicas'] },
  },
  {
    name: 'anchorDuration',
    comment: 'Validity of the trust anchors after the present one.',
    schema: DURATION,
    in: { kind: 'TrustAnchor', path: ['spec', 'duration'] },
  },
  {
    name: 'anchorRenewBefore',
    comment: 'Time before the expiry of a trust anchor at which it is replaced.',
    schema: DURATION,
    in: { kind: 'TrustAnchor', path: ['spec', 'renewBefore'] },
  },
  {
    name: 'configValues',
    comment: 'Values of the LinkerdConfig.',
    schema: { type: 'object' },
    in: { kind: 'LinkerdConfig', path: ['spec', 'values'] },
  },
];

/** Returns a placeholder that no object contains. */
const placeholder = (name: string): string => `zz-${name.toLowerCase()}-zz`;

/**
 * Returns a Helm chart that renders the objects of `installedOperator`, unchanged with its default values. Its CRDs are
 * in `crds/`, because Helm looks up the kinds of all templates before it installs any.
 *
 * @param header - lines for its README
 */
export function operatorChart(request: InstalledOperator, header: readonly string[]): OperatorChart {
  const plain = installedOperator(request);
  if ('problems' in plain) return plain;
  const open = installedOperator({ ...request, ...placeholders(request) });
  if ('problems' in open) return open;
  const isDefinition = ({ kind }: KubernetesObject) => kind === 'CustomResourceDefinition';
  const crds = open.objects.filter(isDefinition);
  const objects = open.objects.filter((object) => !isDefinition(object)).map(withPlaceholders);
  const used = JSON.stringify(objects);
  const values = CHART_VALUES.filter(({ name }) => used.includes(placeholder(name)));
  const given = (value: ChartValue) => ({ [value.name]: defaultOf(value, request, plain.objects) });
  return {
    files: new Map([
      ['Chart.yaml', stringifyYaml(CHART)],
      ['README.md', readme(header)],
      ['values.yaml', values.map((value) => `# ${value.comment}\n${stringifyYaml(given(value))}`).join('')],
      ['values.schema.json', `${JSON.stringify(schemaOf(values), undefined, 2)}\n`],
      ...crds.map((crd) => [`crds/${crd.metadata.name}.yaml`, stringifyYaml(crd)] as const),
      ['templates/check-values.yaml', `${namespaceChecks(values)}${anchorChecks(values, plain.leastRenewBefore)}`],
      ...objects.map((object) => [`templates/${fileName(object)}`, templateOf(object, values)] as const),
    ]),
    warnings: plain.warnings,
  };
}

const CHART = {
  apiVersion: 'v2',
  name: NAME,
  description: 'The operator of cdk8s-linkerd for an installed mesh',
  type: 'application',
  version: LIBRARY_VERSION,
  // The objects include ValidatingAdmissionPolicies.
  kubeVersion: '>=1.30.0-0',
};

function readme(header: readonly string[]): string {
  return `# ${NAME}\n\n${header.map((line) => line.replace(/^ {2}/, '    ')).join('\n')}\n`;
}

const NAMESPACES = ['namespace', 'linkerdNamespace', 'certManagerNamespace', 'cniNamespace'] as const;

/** Equal namespaces become one value: two namespaces would need other objects than one. */
function placeholders(request: InstalledOperator): Pick<InstalledOperator, (typeof NAMESPACES)[number]> {
  const first = (name: (typeof NAMESPACES)[number]) => NAMESPACES.find((one) => request[one] === request[name]) ?? name;
  const [namespace, linkerdNamespace, certManagerNamespace, cniNamespace] = NAMESPACES.map((name) =>
    placeholder(first(name)),
  ) as [string, string, string, string];
  return { namespace, linkerdNamespace, certManagerNamespace, cniNamespace };
}

function withPlaceholders(object: KubernetesObject): KubernetesObject {
  return CHART_VALUES.reduce(
    (changed, { name, in: place }) =>
      place === 'texts' || place.kind !== object.kind
        ? changed
        : (replaced(changed, place.path, name) as typeof changed),
    object,
  );
}

type Key = string | number;

function inside(value: unknown, key: Key): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<Key, unknown>>)[key] : undefined;
}

/** Returns a copy with a placeholder at a path; the same value if the path does not exist. */
function replaced(value: unknown, [key, ...rest]: readonly Key[], name: string): unknown {
  if (key === undefined) return placeholder(name);
  const old = inside(value, key);
  if (old === undefined) return value;
  const changed = replaced(old, rest, name);
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? changed : item));
  return { ...(value as object), [key]: changed };
}

function defaultOf({ name, in: place }: ChartValue, request: InstalledOperator, objects: readonly KubernetesObject[]) {
  if (place === 'texts') return request[name as (typeof NAMESPACES)[number]];
  const holder: unknown = objects.find(({ kind }) => kind === place.kind);
  return place.path.reduce(inside, holder);
}

function schemaOf(values: readonly ChartValue[]): object {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      global: { type: 'object' },
      ...Object.fromEntries(values.map(({ name, comment, schema }) => [name, { description: comment, ...schema }])),
    },
    required: values.map(({ name }) => name),
    additionalProperties: false,
  };
}

/** Refuses equal namespaces, in which Roles would replace each other. */
function namespaceChecks(values: readonly ChartValue[]): string {
  const names = NAMESPACES.filter((name) => values.some((value) => value.name === name));
  const pairs = names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other] as const));
  return pairs
    .map(
      ([one, other]) =>
        `{{- if eq .Values.${one} .Values.${other} }}{{ fail "${one} and ${other} must differ" }}{{ end }}\n`,
    )
    .join('');
}

/** Refuses durations that the command refuses. */
function anchorChecks(values: readonly ChartValue[], leastMs: number): string {
  if (!values.some(({ name }) => name === 'anchorDuration')) return '';
  const least = Math.ceil(leastMs / SECOND);
  return `{{- $seconds := dict }}
{{- range $name := list "anchorDuration" "anchorRenewBefore" }}
{{- $text := index $.Values $name }}
{{- $hours := regexFind "^[0-9]+" $text | int64 }}
{{- $minutes := regexFind "^[0-9]+" (regexFind "[0-9]+m($|[0-9])" $text) | int64 }}
{{- $rest := regexFind "^[0-9]+" (regexFind "[0-9]+s" $text) | int64 }}
{{- $_ := set $seconds $name (add (mul $hours 3600) (mul $minutes 60) $rest) }}
{{- end }}
{{- $renewBefore := index $seconds "anchorRenewBefore" }}
{{- $duration := index $seconds "anchorDuration" }}
{{- if lt $renewBefore ${least} }}{{ fail (printf "anchorRenewBefore is %s, and must be at least ${durationText(least * SECOND)}: a rotation takes that long, or the identity issuer is valid as long" .Values.anchorRenewBefore) }}{{ end }}
{{- if gt (mul 2 $renewBefore) $duration }}{{ fail (printf "anchorDuration is %s, and must be at least twice anchorRenewBefore, which is %s: each anchor would be due soon after it was issued" .Values.anchorDuration .Values.anchorRenewBefore) }}{{ end }}
{{- if gt $duration ${LONGEST} }}{{ fail (printf "anchorDuration is %s, longer than 292 years" .Values.anchorDuration) }}{{ end }}
`;
}

function fileName({ kind, metadata: { name, namespace } }: KubernetesObject): string {
  const own = placeholder('namespace');
  const place = CHART_VALUES.find(
    (value) => value.in === 'texts' && placeholder(value.name) === namespace && namespace !== own,
  );
  const suffix = place === undefined ? '' : `.${place.name.toLowerCase()}`;
  return `${kind.toLowerCase()}.${name.replace(own, 'own')}${suffix}.yaml`;
}

function templateOf(object: KubernetesObject, values: readonly ChartValue[]): string {
  const text = values.reduce(withValue, escapeTemplate(stringifyYaml(object)));
  // `helm install --create-namespace` creates it.
  return object.kind === 'Namespace' ? `{{- if ne .Values.namespace .Release.Namespace }}\n${text}{{- end }}\n` : text;
}

/** Writes a scalar as JSON, which is valid YAML, so that the value keeps its type. */
function withValue(text: string, { name }: ChartValue): string {
  const scalar = new RegExp(`(?<=: |- )${placeholder(name)}$`, 'gm');
  return text.replace(scalar, `{{ toJson .Values.${name} }}`).replaceAll(placeholder(name), `{{ .Values.${name} }}`);
}
