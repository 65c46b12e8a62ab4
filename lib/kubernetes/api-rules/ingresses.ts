import { fits, NAME_FORMS } from '../names';
import { exactlyOne } from './alternatives';
import {
  all,
  type Check,
  each,
  type Fields,
  type Findings,
  fields,
  forbidden,
  has,
  invalid,
  invalidName,
  listIn,
  needsSpec,
  object,
  objectIn,
  own,
  required,
  textAt,
} from './check';
import type { RuleTable } from './rule-table';
import { dns1035Label, dnsSubdomain, notEmpty, orEmpty, portName, portNumber } from './scalars';

/** A host of an Ingress: a DNS name or `*.example.com`. */
const tlsHost: Check = (value, findings) => {
  if (typeof value !== 'string') return;
  const form = value.includes('*') ? NAME_FORMS.wildcardHost : NAME_FORMS.dnsSubdomain;
  if (fits(value, form)) return;
  findings.refuse(invalidName(value, form));
};

const host: Check = (value, findings) => {
  tlsHost(value, findings);
  if (typeof value === 'string' && /^(?:0*\d{1,3}\.){3}0*\d{1,3}$/.test(value)) {
    findings.refuse(invalid(value, 'it must be a DNS name, not an IP address', 'write a DNS name that resolves to it'));
  }
};

const BAD_PATH = /\/\/|\/\.\/|\/\.\.\/|%2f|%2F|\/\.\.$|\/\.$/;

const ingressPath: Check = object((path, findings) => {
  const text = own(path, 'path') ?? '';
  const type = own(path, 'pathType');
  if (typeof text !== 'string' || typeof type !== 'string') return;
  const isFree = type === 'ImplementationSpecific';
  if (!text.startsWith('/') && !(isFree && text === '')) {
    findings.refuse(invalid(text, 'a path is absolute', 'write it with a leading "/"'), 'path');
  } else if (!isFree && BAD_PATH.test(text)) {
    findings.refuse(
      invalid(text, 'a path must be unambiguous', 'write it without "//", "/.", "/.." and "%2f"'),
      'path',
    );
  }
});

/** The name of a Service's port in a container, an Ingress or a policy. */
const servicePort: Check = exactlyOneOfNumberAndName();

function exactlyOneOfNumberAndName(): Check {
  return object((value, findings) => {
    const name = textAt(value, 'name');
    const number = own(value, 'number') ?? 0;
    if ((name === undefined) === (number === 0)) {
      findings.refuseWhole(
        name === undefined
          ? required('name or number', 'a port of a Service has one of them', 'add one of them')
          : forbidden('number is set, and a port of a Service has one of them', 'keep one of them'),
        ...(name === undefined ? [] : ['name']),
      );
      return;
    }
    findings.at('name', name, portName);
    if (number !== 0) findings.at('number', number, portNumber);
  });
}

/** Rules of Ingresses. */
export const INGRESS_RULES: RuleTable = {
  Ingress: needsSpec,
  IngressSpec: all(
    object((spec, findings) => {
      if (listIn(spec, 'rules').length > 0 || has(spec, 'defaultBackend')) return;
      findings.refuseWhole(
        required('rules or defaultBackend', 'without either, the Ingress does nothing', 'add a rule'),
      );
    }),
    object((spec, findings) => {
      const annotation = own(
        objectIn(objectIn(findings.root, 'metadata'), 'annotations'),
        'kubernetes.io/ingress.class',
      );
      const name = own(spec, 'ingressClassName');
      if (typeof annotation !== 'string' || typeof name !== 'string' || annotation === name) return;
      findings.refuse(
        invalid(name, `the annotation kubernetes.io/ingress.class is "${annotation}"`, 'remove the annotation'),
        'ingressClassName',
      );
    }),
    fields({
      ingressClassName: dnsSubdomain,
      tls: each(fields({ hosts: each(tlsHost), secretName: orEmpty(dnsSubdomain) })),
    }),
  ),
  IngressRule: fields({ host: orEmpty(host), http: fields({ paths: notEmpty }) }),
  HTTPIngressPath: ingressPath,
  IngressBackend: exactlyOne(['resource', 'service'], 'a backend has one of them'),
  IngressServiceBackend: all(
    fields({ name: dns1035Label }),
    object((backend, findings) => servicePortOf(backend, findings)),
  ),
  TypedLocalObjectReference: fields({ kind: notEmpty, name: notEmpty }),
};

function servicePortOf(backend: Fields, findings: Findings): void {
  findings.at('port', own(backend, 'port') ?? {}, servicePort);
}
