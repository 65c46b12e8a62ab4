import type { RuleTable } from './check';
import {
  all,
  type Check,
  each,
  exactlyOne,
  fields,
  forbidden,
  has,
  invalid,
  listIn,
  object,
  own,
  required,
} from './check';
import { matching } from './scalars';

const nameOrSelector = exactlyOne('name', 'selector');

const bundleSpec: Check = fields({
  sources: each(
    all(
      exactlyOne('configMap', 'inLine', 'secret', 'useDefaultCAs'),
      fields({ configMap: nameOrSelector, secret: nameOrSelector }),
    ),
  ),
  target: object((target, findings) => {
    if (has(target, 'configMap') || has(target, 'secret')) return;
    findings.refuseWhole(required('configMap or secret', 'one-of-several'));
  }),
});

const issuer: Check = fields({
  spec: fields({ venafi: exactlyOne('cloud', 'ngts', 'tpp') }),
});

/** A filter's field is named after its type. */
function fieldOfFilter(type: unknown): string {
  if (type === 'URLRewrite') return 'urlRewrite';
  if (type === 'CORS') return 'cors';
  return typeof type === 'string' ? type.charAt(0).toLowerCase() + type.slice(1) : '';
}

const FILTERS = [
  'CORS',
  'ExtensionRef',
  'RequestHeaderModifier',
  'RequestMirror',
  'RequestRedirect',
  'ResponseHeaderModifier',
  'URLRewrite',
];

const filter: Check = object((value, findings) => {
  const type = own(value, 'type');
  for (const known of FILTERS) {
    const field = fieldOfFilter(known);
    if (has(value, field) === (known === type)) continue;
    findings.refuseWhole(
      known === type
        ? required(field, 'filter-type', { type: known })
        : forbidden('filter-type', { type: String(type), needed: known }),
      ...(known === type ? [] : [field]),
    );
  }
});

const PATH = /^(?!.*(?:\/\/|\/\.\/|\/\.\.\/|%2[fF]|\/\.\.?$))\/(?:[-A-Za-z0-9/._~!$&'()*+,;=:@]|%[0-9a-fA-F]{2})*$/;

const pathValue = matching(PATH, 'route-path');

const backend: Check = object((reference, findings) => {
  const isService = (own(reference, 'kind') ?? 'Service') === 'Service' && (own(reference, 'group') ?? '') === '';
  if (!isService || has(reference, 'port')) return;
  findings.refuseWhole(required('port', 'backend-port'));
});

const parents: Check = (value, findings) => {
  if (!Array.isArray(value)) return;
  const keys = value.map((parent) => {
    const part = (field: string, preset: string) =>
      String((parent as Record<string, unknown> | null)?.[field] ?? preset);
    return JSON.stringify([
      part('group', 'gateway.networking.k8s.io'),
      part('kind', 'Gateway'),
      part('namespace', ''),
      part('name', ''),
      part('sectionName', ''),
    ]);
  });
  if (new Set(keys).size === keys.length) return;
  findings.refuseWhole(invalid(value, 'route-parents'));
};

const route: Check = fields({
  spec: fields({
    parentRefs: parents,
    rules: each(
      all(
        fields({
          backendRefs: each(all(backend, fields({ filters: each(filter) }))),
          filters: each(filter),
          matches: each(
            fields({
              path: object((path, findings) => {
                if ((own(path, 'type') ?? 'PathPrefix') !== 'RegularExpression')
                  findings.at('value', own(path, 'value'), pathValue);
              }),
            }),
          ),
        }),
        object((rule, findings) => {
          const redirects = listIn(rule, 'filters').some((one) =>
            has((one ?? {}) as Record<string, unknown>, 'requestRedirect'),
          );
          if (!redirects || listIn(rule, 'backendRefs').length === 0) return;
          findings.refuseWhole(forbidden('redirected-requests'), 'backendRefs');
        }),
      ),
    ),
  }),
});

/** The CEL rules of CustomResourceDefinitions, by the address of the schema. */
export const CUSTOM_RESOURCE_RULES: RuleTable = {
  'crds/trust.cert-manager.io#Bundle': fields({ spec: bundleSpec }),
  'crds/cert-manager.io#ClusterIssuer': issuer,
  'crds/cert-manager.io#Issuer': issuer,
  'crds/gateway.networking.k8s.io#HTTPRouteV1': route,
  'crds/gateway.networking.k8s.io#HTTPRouteV1Beta1': route,
};
