import { isLabelKey } from '../names';
import { exactlyOne } from './alternatives';
import { all, type Check, fields, forbidden, has, invalid, notSupported, object, own, required, textAt } from './check';
import type { RuleTable } from './rule-table';
import {
  between,
  dataKey,
  dnsLabel,
  dnsSubdomain,
  environmentName,
  notEmpty,
  orEmpty,
  pathOfFile,
  pathWithoutBacksteps,
  quantityIn,
} from './scalars';

const FIELD_PATHS = {
  env: [
    'metadata.name',
    'metadata.namespace',
    'metadata.uid',
    'spec.nodeName',
    'spec.serviceAccountName',
    'status.hostIP',
    'status.hostIPs',
    'status.podIP',
    'status.podIPs',
    'spec.host',
  ],
  volume: ['metadata.name', 'metadata.namespace', 'metadata.labels', 'metadata.annotations', 'metadata.uid'],
};

/** A field of the pod itself, as an environment variable or a file. */
function fieldRef(place: keyof typeof FIELD_PATHS): Check {
  return object((value, findings) => {
    const path = own(value, 'fieldPath');
    if (has(value, 'apiVersion') && own(value, 'apiVersion') !== 'v1' && own(value, 'apiVersion') !== '') {
      findings.refuse(notSupported(own(value, 'apiVersion'), ['v1']), 'apiVersion');
    }
    if (typeof path !== 'string' || FIELD_PATHS[place].includes(path)) return;
    const [, kind, key = ''] = /^metadata\.(annotations|labels)\['(.*)'\]$/s.exec(path) ?? [];
    if (kind !== undefined && isLabelKey(kind === 'labels' ? key : key.toLowerCase())) return;
    findings.refuse(
      invalid(
        path,
        'only some fields of a pod are available to its containers',
        `write one of ${FIELD_PATHS[place].join(', ')}, or metadata.labels['key']`,
      ),
      'fieldPath',
    );
  });
}

const RESOURCE = /^(?:limits|requests)\.(?:cpu|memory|ephemeral-storage|hugepages-.*)$/s;

const CPU_DIVISORS = [1, 0.001];

const BYTE_DIVISORS = [0, 3, 6, 9, 12, 15, 18]
  .map((power) => 10 ** power)
  .concat([10, 20, 30, 40, 50, 60].map((power) => 2 ** power));

/** A limit or a request of a container, as an environment variable or a file; a file needs the container's name. */
function resourceFieldRef(place: keyof typeof FIELD_PATHS): Check {
  return object((value, findings) => {
    const resource = own(value, 'resource');
    if (place === 'volume' && textAt(value, 'containerName') === undefined) {
      findings.refuseWhole(
        required('containerName', 'a volume does not belong to one container', 'add the containerName'),
      );
    } else if (typeof resource === 'string' && !RESOURCE.test(resource)) {
      findings.refuse(
        invalid(resource, 'it must be a limit or a request', 'write limits.cpu for instance'),
        'resource',
      );
    }
    const divisor = quantityIn(own(value, 'divisor')) ?? 0;
    const allowed = typeof resource === 'string' && resource.endsWith('.cpu') ? CPU_DIVISORS : BYTE_DIVISORS;
    if (divisor !== 0 && typeof resource === 'string' && RESOURCE.test(resource) && !allowed.includes(divisor)) {
      findings.refuse(invalid(own(value, 'divisor'), 'it must be a unit of the resource', 'write 1'), 'divisor');
    }
  });
}

/** A key of a Secret or a ConfigMap. */
const keyRef = all(
  fields({ key: dataKey, name: dnsSubdomain }),
  object((value, findings) => {
    if (!has(value, 'name'))
      findings.refuseWhole(required('name', 'the key belongs to a ConfigMap or a Secret', 'add the name'));
  }),
);

/** A Secret or a ConfigMap, all of it. */
const wholeRef = all(
  fields({ name: dnsSubdomain }),
  object((value, findings) => {
    if (!has(value, 'name'))
      findings.refuseWhole(required('name', 'the variables are those of a ConfigMap or a Secret', 'add the name'));
  }),
);

const oneSource = exactlyOne(
  ['configMapKeyRef', 'fieldRef', 'fileKeyRef', 'resourceFieldRef', 'secretKeyRef'],
  'a variable has one source',
);

/** Rules of what containers are told, in their environment or by files, of the pod, Secrets and ConfigMaps. */
export const ENVIRONMENT_RULES: RuleTable = {
  EnvVar: all(
    fields({ name: environmentName, valueFrom: oneSource }),
    object((variable, findings) => {
      if (!has(variable, 'valueFrom') || textAt(variable, 'value') === undefined) return;
      findings.refuseWhole(forbidden('valueFrom is set, and a variable has one source', 'keep one of them'), 'value');
    }),
  ),
  EnvVarSource: fields({
    configMapKeyRef: keyRef,
    secretKeyRef: keyRef,
    fieldRef: fieldRef('env'),
    resourceFieldRef: resourceFieldRef('env'),
    fileKeyRef: fields({ key: environmentName, volumeName: dnsLabel, path: all(notEmpty, pathWithoutBacksteps) }),
  }),
  EnvFromSource: all(
    fields({ prefix: orEmpty(environmentName), configMapRef: wholeRef, secretRef: wholeRef }),
    exactlyOne(['configMapRef', 'secretRef'], 'the variables have one source'),
  ),
  DownwardAPIVolumeFile: all(
    fields({
      path: all(notEmpty, pathOfFile),
      mode: between(0, 0o777),
      fieldRef: fieldRef('volume'),
      resourceFieldRef: resourceFieldRef('volume'),
    }),
    exactlyOne(['fieldRef', 'resourceFieldRef'], 'a file has one source'),
  ),
};
