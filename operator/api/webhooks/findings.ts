import { catalogue } from '../kubernetes/catalogue';

const TOO_LARGE =
  'All values of the chart are a tenth of that size, and the operator and the injector would take long to parse these';
const LESS = 'give only the values that differ from those of the installation';

/** Findings of the operator's webhooks: why they refuse a LinkerdConfig or a TrustAnchor. */
export const WEBHOOK_FINDINGS = catalogue({
  'config-anchors-invalid/missing': {
    severity: 'error',
    what: ({ field }: { field: string }) => `${field} holds no certificate`,
    why: 'Proxies would not know whom to trust',
    fix: 'give the PEM text of the trust anchors, or leave it empty to keep those in use',
  },
  'config-anchors-invalid/too-long': {
    severity: 'error',
    what: ({ field, most }: { field: string; most: number }) => `${field} has more than ${most} characters`,
    why: 'No LinkerdConfig can hold it',
    fix: 'give only the anchors in use and the next one',
  },
  'config-anchors-invalid/unreadable': {
    severity: 'error',
    what: ({ certificate }: { certificate: string }) => `${certificate} cannot be read`,
    why: 'Proxies would not start',
    fix: 'copy it again, with all of its lines',
  },
  'config-anchors-invalid/not-ca': {
    severity: 'error',
    what: ({ certificate }: { certificate: string }) => `${certificate} is not a CA`,
    why: 'Proxies accept no certificate that it signed, and would trust no other proxy',
    fix: 'give the root certificate, not one that it issued',
  },
  'config-anchors-invalid/expired': {
    severity: 'error',
    what: ({ certificate, end }: { certificate: string; end: string }) => `${certificate} expired on ${end}`,
    why: 'Proxies no longer trust it',
    fix: 'remove it, or give its successor',
  },
  'config-anchors-invalid/not-yet-valid': {
    severity: 'error',
    what: ({ certificate, start }: { certificate: string; start: string }) =>
      `${certificate} is not valid before ${start}`,
    why: 'Proxies do not trust it yet',
    fix: 'wait until then, or correct the clocks',
  },
  'issuer-not-of-anchor': {
    severity: 'error',
    what: ({ field, problem }: { field: string; problem: string }) =>
      `the identity issuer in use does not chain to ${field}: ${problem}`,
    why: 'New proxies would refuse all others, whose certificates it issued',
    fix: 'keep the current anchor next to the new one until the issuer and all proxies use the new one',
  },
  'values-too-large/count': {
    severity: 'error',
    what: ({ most }: { most: number }) => `spec.values holds more than ${most} values`,
    why: TOO_LARGE,
    fix: LESS,
  },
  'values-too-large/levels': {
    severity: 'error',
    what: ({ most }: { most: number }) => `spec.values holds more than ${most} levels`,
    why: TOO_LARGE,
    fix: LESS,
  },
  'values-too-large/text': {
    severity: 'error',
    what: ({ most }: { most: number }) => `spec.values holds more than ${most} characters of text`,
    why: TOO_LARGE,
    fix: LESS,
  },
  'second-linkerd-config': {
    severity: 'error',
    what: ({ name, configMap }: { name: string; configMap: string }) =>
      `LinkerdConfig ${name} configures ${configMap} already`,
    why: 'The two would overwrite each other',
    fix: ({ name }: { name: string }) => `add the values to LinkerdConfig ${name}, or delete that one first`,
  },
  'anchor-prerequisite-missing/namespace': {
    severity: 'error',
    what: ({ name }: { name: string }) => `there is no namespace ${name}`,
    why: 'The trust anchor would be kept for a mesh that does not exist, and the namespaces of a TrustAnchor cannot be changed',
    fix: 'create the namespace first, or correct its name',
  },
  'anchor-prerequisite-missing/cert-manager': {
    severity: 'error',
    what: 'the API server does not serve Certificates of cert-manager.io/v1',
    why: 'No anchor could be issued',
    fix: 'install cert-manager first',
  },
});
