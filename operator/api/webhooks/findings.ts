import { catalogue } from '#base/findings/catalogue';

const TOO_LARGE =
  'All values of the chart stay below a tenth of this limit, and the operator and the injector would take long to parse more';
const STILL_TRUSTED = 'The leaked key would stay trusted, and nothing would report it';
const LESS = 'give only the values that differ from those of the installation';

const CUT_OFF = 'New proxies would refuse all other proxies, whose certificates the current issuer signed';
const KEEP_CURRENT = 'keep the current anchor next to the new one until the issuer and all proxies use the new one';

/** Findings of the operator's webhooks: why they refuse a LinkerdConfig or a TrustAnchor. */
export const WEBHOOK_FINDINGS = catalogue({
  'config-anchors-invalid/missing': {
    severity: 'error',
    what: ({ field }: { field: string }) => `${field} has no certificate`,
    why: 'Proxies would not start',
    fix: 'give the PEM text of the trust anchors, or leave the field empty to keep those in use',
  },
  'config-anchors-invalid/too-long': {
    severity: 'error',
    what: ({ field, most }: { field: string; most: number }) => `${field} has more than ${most} characters`,
    why: 'The API server refuses such a LinkerdConfig',
    fix: 'give only the anchors in use and the next one',
  },
  'config-anchors-invalid/unreadable': {
    severity: 'error',
    what: ({ certificate }: { certificate: string }) => `${certificate} cannot be read`,
    why: 'Proxies would ignore it, or not start',
    fix: 'copy it again, with all of its lines',
  },
  'config-anchors-invalid/not-ca': {
    severity: 'error',
    what: ({ certificate }: { certificate: string }) => `${certificate} is not a CA`,
    why: 'Identity refuses issuers that it signed, and new proxies that trust only this certificate would trust no other proxy',
    fix: 'give the root certificate, not one that it issued',
  },
  'config-anchors-invalid/expired': {
    severity: 'error',
    what: ({ certificate, end }: { certificate: string; end: string }) => `${certificate} expired on ${end}`,
    why: 'Identity refuses issuers that it signed, and new proxies would still trust its key',
    fix: 'remove it, or give its successor',
  },
  'config-anchors-invalid/not-yet-valid': {
    severity: 'error',
    what: ({ certificate, start }: { certificate: string; start: string }) =>
      `${certificate} is not valid before ${start}`,
    why: 'Until then, identity refuses issuers that it signed',
    fix: 'wait until then, or correct the clocks',
  },
  'issuer-not-of-anchor': {
    severity: 'error',
    what: ({ field, signer, anchors }: Record<'field' | 'signer' | 'anchors', string>) =>
      `The identity issuer in use is signed by "${signer}", which chains to no certificate in ${field} (${anchors})`,
    why: CUT_OFF,
    fix: KEEP_CURRENT,
  },
  'issuer-not-of-anchor/expired': {
    severity: 'error',
    what: ({ field }: { field: string }) =>
      `The identity issuer in use cannot chain to ${field}, which has no certificate that is valid now`,
    why: 'If one of these certificates signed the issuer, identity refuses the issuer. Otherwise, new proxies would refuse all other proxies',
    fix: KEEP_CURRENT,
  },
  'issuer-not-of-anchor/unreadable': {
    severity: 'error',
    what: ({ field }: { field: string }) =>
      `The identity issuer in use cannot be read, so whether it chains to ${field} is unknown`,
    why: CUT_OFF,
    fix: 'wait until cert-manager has issued the Secret linkerd-identity-issuer, and apply the LinkerdConfig again',
  },
  'values-too-large/count': {
    severity: 'error',
    what: ({ most }: { most: number }) => `spec.values has more than ${most} values`,
    why: TOO_LARGE,
    fix: LESS,
  },
  'values-too-large/levels': {
    severity: 'error',
    what: ({ most }: { most: number }) => `spec.values is nested more than ${most} levels deep`,
    why: TOO_LARGE,
    fix: LESS,
  },
  'values-too-large/text': {
    severity: 'error',
    what: ({ most }: { most: number }) => `spec.values has more than ${most} characters of text`,
    why: TOO_LARGE,
    fix: LESS,
  },
  'second-linkerd-config': {
    severity: 'error',
    what: ({ name, configMap }: { name: string; configMap: string }) =>
      `LinkerdConfig ${name} already configures ${configMap}`,
    why: 'The two would overwrite each other',
    fix: ({ name }: { name: string }) => `add the values to LinkerdConfig ${name}, or delete it first`,
  },
  'compromised-key-unknown': {
    severity: 'error',
    what: ({ key }: { key: string }) => `No anchor of this mesh has the key ${key}`,
    why: STILL_TRUSTED,
    fix: ({ listed }: { listed: string }) => `give one of these keys: ${listed}`,
  },
  'compromised-key-unknown/none': {
    severity: 'error',
    what: ({ key }: { key: string }) => `The anchors of this mesh are not known yet, so none has the key ${key}`,
    why: STILL_TRUSTED,
    fix: 'remove the key, and add it again once the status lists the anchor that has it',
  },
  'anchor-prerequisite-missing/namespace': {
    severity: 'error',
    what: ({ name }: { name: string }) => `The namespace ${name} does not exist`,
    why: 'The operator would manage the trust anchor of a mesh that does not exist, and the namespaces of a TrustAnchor cannot be changed',
    fix: 'create the namespace first, or correct its name',
  },
  'anchor-prerequisite-missing/cert-manager': {
    severity: 'error',
    what: 'The API server does not serve Certificates of cert-manager.io/v1',
    why: 'No anchor could be issued',
    fix: 'install cert-manager first',
  },
});
