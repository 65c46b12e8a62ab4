import { fits, formFault, NAME_FORMS } from '../names';
import { exactlyOne } from './alternatives';
import {
  all,
  type Check,
  each,
  type Fields,
  type Findings,
  fields,
  has,
  listIn,
  needsSpec,
  object,
  objectIn,
  own,
  REFUSES,
  textAt,
} from './check';
import type { RuleTable } from './rule-table';
import { dns1035Label, dnsSubdomain, notEmpty, orEmpty, portName, portNumber } from './scalars';

/** A host of an Ingress: a DNS name or `*.example.com`. */
const tlsHost: Check = (value, findings) => {
  if (typeof value !== 'string') return;
  const form = value.includes('*') ? NAME_FORMS.wildcardHost : NAME_FORMS.dnsSubdomain;
  if (fits(value, form)) return;
  const { said, ...fault } = formFault(value, form);
  findings.refuse({ says: `is ${said}`, ...fault });
};

const host: Check = (value, findings) => {
  tlsHost(value, findings);
  if (typeof value === 'string' && /^(?:0*\d{1,3}\.){3}0*\d{1,3}$/.test(value)) {
    findings.refuseValue(value, `${REFUSES}: it is an address, not a name`, 'write a DNS name that resolves to it');
  }
};

const BAD_PATH = /\/\/|\/\.\/|\/\.\.\/|%2f|%2F|\/\.\.$|\/\.$/;

const ingressPath: Check = object((path, findings) => {
  const text = own(path, 'path') ?? '';
  const type = own(path, 'pathType');
  if (typeof text !== 'string' || typeof type !== 'string') return;
  const isFree = type === 'ImplementationSpecific';
  if (!text.startsWith('/') && !(isFree && text === '')) {
    findings.refuseValue(text, `${REFUSES}: a path is from the root`, 'write it with a leading "/"', 'path');
  } else if (!isFree && BAD_PATH.test(text)) {
    findings.refuseValue(
      text,
      `${REFUSES}: the path says more than one thing`,
      'write it without "//", "/.", "/.." and "%2f"',
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
      findings.refuseWhole({
        code: 'not-exactly-one',
        says: name === undefined ? 'has neither name nor number' : 'has name and number',
        why: `${REFUSES}: a port of a Service has one or the other`,
        fix: 'keep one of them',
      });
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
      findings.refuseWhole({
        code: 'field-missing',
        says: 'has neither rules nor a defaultBackend',
        why: `${REFUSES}: it would do nothing`,
        fix: 'add a rule',
      });
    }),
    object((spec, findings) => {
      const annotation = own(
        objectIn(objectIn(findings.root, 'metadata'), 'annotations'),
        'kubernetes.io/ingress.class',
      );
      const name = own(spec, 'ingressClassName');
      if (typeof annotation !== 'string' || typeof name !== 'string' || annotation === name) return;
      findings.refuseValue(
        name,
        `${REFUSES}: the annotation kubernetes.io/ingress.class says "${annotation}"`,
        'remove the annotation',
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
  IngressBackend: exactlyOne(['resource', 'service'], 'a backend is one thing'),
  IngressServiceBackend: all(
    fields({ name: dns1035Label }),
    object((backend, findings) => servicePortOf(backend, findings)),
  ),
  TypedLocalObjectReference: fields({ kind: notEmpty, name: notEmpty }),
};

function servicePortOf(backend: Fields, findings: Findings): void {
  findings.at('port', own(backend, 'port') ?? {}, servicePort);
}
