import type { Fault } from '../fault';

export const constructs: readonly Fault[] = [
  {
    file: 'lib/constructs/pki/validity-rules.ts',
    from: 'if (identityIssuer.renewBefore >= leafReach(windows)) return [];',
    to: 'if (identityIssuer.renewBefore >= windows.issuanceLifetime) return [];',
    why: 'a leaf outlives its issuer by the clock skew',
  },
  {
    file: 'lib/constructs/pki/validity-rules.ts',
    from: 'if (renewBefore <= duration / 2) return { duration, renewBefore };',
    to: '',
    why: 'the proposal for an anchor swaps valid times',
  },
  {
    file: 'lib/constructs/pki/rotation-slack.ts',
    from: 'if (!isSigned || needed <= anchor.renewBefore) return [];',
    to: 'if (needed <= anchor.renewBefore) return [];',
    why: 'anchors without a signer are reported',
  },
  {
    file: 'lib/constructs/pki/expiry-alert.ts',
    from: 'const overdue = needed + (renewBefore - needed) / 2;',
    to: 'const overdue = (renewBefore - needed) / 2;',
    why: 'the warning comes after the emergency',
  },
  {
    file: 'lib/constructs/pki/trust-roots.ts',
    from: 'if (complete > 0 && begun === complete) return [];',
    to: 'if (complete > 0) return [];',
    why: 'a truncated certificate is ignored',
  },
  {
    file: 'lib/constructs/viz/host-regexp.ts',
    from: ".replaceAll('(?<', '(?!')",
    to: '',
    why: 'groups that only newer versions of Go support are accepted',
  },
  {
    file: 'lib/constructs/viz/host-regexp.ts',
    from: "return text.replace(/[.*[\\]]/g, '\\\\$&');",
    to: "return text.replace(/[*[\\]]/g, '\\\\$&');",
    why: 'a dot of a host matches any character',
  },
  {
    file: 'lib/constructs/viz/nginx-ingress.ts',
    from: '`${secret.namespace ?? namespace}/${secret.name}`',
    to: '`${namespace}/${secret.name}`',
    why: 'the Secret is read from the wrong namespace',
  },
  {
    file: 'lib/constructs/monitoring/thresholds.ts',
    from: 'thresholds[field] > 0 && thresholds[field] < 1',
    to: 'thresholds[field] >= 0 && thresholds[field] < 1',
    why: 'a share of 0 is accepted',
  },
  {
    file: 'lib/constructs/multicluster/link-rules.ts',
    from: 'const byGateway = gateway !== false && facts.gateway !== undefined && props.exported !== false;',
    to: 'const byGateway = gateway !== false && facts.gateway !== undefined;',
    why: 'a link that mirrors nothing is not reported',
  },
  {
    file: 'lib/constructs/multicluster/link-rules.ts',
    from: '[gateway?.ports?.gateway ?? facts.port, gateway?.ports?.probe ?? facts.probe.port]',
    to: '[gateway?.ports?.gateway ?? facts.port]',
    why: 'a missing port of probes is not reported',
  },
];
