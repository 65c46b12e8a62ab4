import { violationOf } from '../../../../operator/api/kubernetes/violation';
import type { Problem } from '../../../kubernetes/findings/problem';
import { checkDnsLabel } from '../../../kubernetes/names';
import { isMap, type Value, type Values, valueAt } from '../../../kubernetes/values';
import { withoutNulls } from '../chart-view';
import { checkPodSecurityPolicy } from '../pod-security-policy';
import { checkPrivateKeys } from '../private-keys';
import { checkControlPlaneNamespace } from '../rules/control-plane-namespace';
import { checkMissingMaps } from '../rules/missing-maps';
import { checkImageVersions, checkMissingTexts } from '../rules/missing-texts';
import { checkNullLabels } from '../rules/null-labels';
import { linkNames, remoteAccounts } from './named-values';

/**
 * Checks that the multi-cluster extension can be rendered: reports all that the official chart refuses or breaks, and
 * what would put a private key into Git.
 *
 * @param values - all values of the chart, as for `renderMulticluster`
 */
export function checkMulticlusterRender(values: Values): readonly Problem[] {
  const given = withoutNulls(values);
  const has = enabledParts(given);
  const structure = [
    ...checkMissingMaps(given, neededMaps(has)),
    ...checkControlPlaneNamespace({ linkerdNamespace: given.linkerdNamespace as string | undefined }),
    ...checkControllers(given.controllers),
  ];
  if (structure.length > 0) return structure;
  return [
    ...checkMissingTexts(given, neededTexts(has)),
    ...checkImageVersions(given, [], neededVersions(has)),
    ...checkNullLabels(values),
    ...checkMissingRelease(given),
    ...(has.gateway ? checkGatewayName(given) : []),
    ...checkAccounts(given),
    ...checkPodSecurityPolicy(given),
    ...checkPrivateKeys(given),
  ];
}

/** The optional parts of the extension that values have. */
interface Parts {
  readonly gateway: boolean;
  readonly links: boolean;
  readonly job: boolean;
}

function enabledParts(values: Values): Parts {
  return {
    gateway: valueAt(values, 'gateway.enabled') === true,
    links: Array.isArray(values.controllers) && values.controllers.length > 0,
    job: values.createNamespaceMetadataJob === true,
  };
}

/** Maps that the chart's templates look into. */
function neededMaps({ gateway, links, job }: Parts): readonly string[] {
  return [
    'gateway',
    'localServiceMirror',
    'localServiceMirror.image',
    ...(gateway ? ['gateway.probe'] : []),
    ...(links
      ? [
          'controllerDefaults',
          'controllerDefaults.image',
          'controllerDefaults.gateway',
          'controllerDefaults.gateway.probe',
        ]
      : []),
    ...(job ? ['namespaceMetadata', 'namespaceMetadata.image'] : []),
  ];
}

/** Values that stand in texts, or without which objects are none. */
function neededTexts({ gateway, links, job }: Parts): readonly string[] {
  const mirrored = ['logLevel', 'logFormat'];
  return [
    ...['serviceMirrorRetryLimit', ...mirrored].map((key) => `localServiceMirror.${key}`),
    'localServiceMirror.image.name',
    ...(gateway ? ['name', 'port', 'probe.path', 'probe.port', 'probe.seconds'].map((key) => `gateway.${key}`) : []),
    ...(gateway ? ['gateway.serviceType', 'gateway.pauseImage', 'identityTrustDomain'] : []),
    ...(links
      ? ['retryLimit', 'enablePprof', 'image.name', ...mirrored].map((key) => `controllerDefaults.${key}`)
      : []),
    ...(links ? ['controllerDefaults.gateway.probe.port'] : []),
    ...(job ? ['namespaceMetadata.image.registry', 'namespaceMetadata.image.name'] : []),
  ];
}

/** Versions of images, which fall back to nothing. */
function neededVersions({ links, job }: Parts): readonly string[] {
  return [
    'localServiceMirror.image.version',
    ...(links ? ['controllerDefaults.image.version'] : []),
    ...(job ? ['namespaceMetadata.image.tag'] : []),
  ];
}

function checkMissingRelease({ linkerdVersion }: Values): readonly Problem[] {
  if (linkerdVersion) return [];
  return [
    {
      code: 'needed-value-missing',
      about: 'values.linkerdVersion',
      what: `values.linkerdVersion is ${JSON.stringify(linkerdVersion ?? null)}`,
      why: 'The chart prints it into labels and annotations, which say then that all is of no release',
      fix: "leave linkerdVersion out, which gives it the chart's own value, or set it",
    },
  ];
}

/** A gateway without a name, or with an odd one, is an object that no API server takes. */
function checkGatewayName(values: Values): readonly Problem[] {
  const name = valueAt(values, 'gateway.name');
  return typeof name === 'string' ? checkDnsLabel('values.gateway.name', name) : [];
}

const ACCOUNTS = 'remoteMirrorServiceAccountName';

/** Each of the accounts by which other clusters read this one is an object of its own. */
function checkAccounts(values: Values): readonly Problem[] {
  if (values.remoteMirrorServiceAccount !== true) return [];
  const names = remoteAccounts(values);
  const twice = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
  return [
    ...(names.length === 0 ? [NO_ACCOUNT] : []),
    ...names.flatMap((name) => checkDnsLabel(`values.${ACCOUNTS}`, name)),
    ...twice.map((name) => ({
      code: 'remote-account-twice',
      violates: violationOf('value', `${ACCOUNTS}.${name}`),
      about: `values.${ACCOUNTS}`,
      what: `values.${ACCOUNTS} has "${name}" more than once`,
      why: 'Two accounts of one name are one: taken away from one cluster, it is taken away from the other',
      fix: 'give each cluster an account of its own',
    })),
  ];
}

const NO_ACCOUNT: Problem = {
  code: 'remote-accounts-empty',
  about: `values.${ACCOUNTS}`,
  what: `values.${ACCOUNTS} names no account, and remoteMirrorServiceAccount is true`,
  why: 'The chart makes an account without a name, which no API server takes, or none',
  fix: 'name one, or set remoteMirrorServiceAccount to false (remoteAccounts: false of Multicluster)',
};

/** The Service by which a mirror probes the other cluster's gateway is named after the link. */
const PROBE = 'probe-';

/** The longest name of a link: that Service's is a DNS label. */
const MOST_LINK_NAME = 63 - PROBE.length;

function checkControllers(controllers: Value | undefined): readonly Problem[] {
  if (controllers === undefined) return [];
  if (!Array.isArray(controllers)) {
    return [
      {
        code: 'wrong-type',
        violates: violationOf('value', 'controllers'),
        about: 'values.controllers',
        what: 'values.controllers is no list',
        why: 'The templates make a service mirror of each of its items',
        fix: 'write a list: controllers: [{ link: { ref: { name: west } } }]',
      },
    ];
  }
  const names = linkNames({ controllers });
  const twice = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
  return [
    ...controllers.flatMap((controller, index) => checkController(controller, `values.controllers[${index}]`)),
    ...twice.map((name) => linkTwice(name)),
  ];
}

function checkController(controller: Value, place: string): readonly Problem[] {
  const name = isMap(controller) ? valueAt(controller, 'link.ref.name') : undefined;
  if (!isMap(controller) || typeof name !== 'string' || name === '') return [unnamedLink(place)];
  return [...checkLinkName(`${place}.link.ref.name`, name), ...checkNoNulls(controller, place)];
}

/** Checks the name of a link: that of the cluster that it leads to. */
export function checkLinkName(place: string, name: string): readonly Problem[] {
  const form = checkDnsLabel(place, name);
  if (form.length > 0 || name.length <= MOST_LINK_NAME) return form;
  return [
    {
      code: 'link-name-long',
      violates: violationOf('value', place),
      about: place,
      what: `${place} is "${name}", ${name.length} characters long`,
      why: `The Service ${PROBE}${name} is named after it, and names of Services have at most 63 characters`,
      fix: `shorten it to ${MOST_LINK_NAME} characters or less`,
    },
  ];
}

function unnamedLink(place: string): Problem {
  return {
    code: 'link-name-missing',
    violates: violationOf('value', place),
    about: place,
    what: `${place} has no link.ref.name`,
    why: 'The service mirror would not know which Link it is for: the chart fails, and nothing is rendered',
    fix: `set ${place}.link.ref.name to the name of the Link`,
  };
}

function linkTwice(name: string): Problem {
  return {
    code: 'link-twice',
    violates: violationOf('value', `controllers.${name}`),
    about: 'values.controllers',
    what: `values.controllers has the link "${name}" more than once`,
    why: 'Two service mirrors of one name are one: whichever is applied last takes the place of the other',
    fix: 'keep one of them',
  };
}

/** Helm removes nulls from maps, but not from what is in a list. */
function checkNoNulls(value: Value, place: string): readonly Problem[] {
  if (value === null) {
    return [
      {
        code: 'null-in-list',
        violates: violationOf('value', place),
        about: place,
        what: `${place} is null`,
        why: 'In a list null removes nothing: the chart prints an empty value, or fails',
        fix: 'leave it out, which gives it the value of controllerDefaults',
      },
    ];
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => checkNoNulls(item, `${place}[${index}]`));
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([key, inside]) => checkNoNulls(inside ?? null, `${place}.${key}`));
}
