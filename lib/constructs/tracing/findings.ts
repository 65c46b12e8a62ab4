import { catalogue } from '#base/findings/catalogue';

/** Findings about tracing. */
export const TRACING_FINDINGS = catalogue({
  'tracing-without-chart': {
    severity: 'error',
    what: ({ given, version }: { given: string; version: string }) =>
      `JaegerToTempo has ${given}, but tracing of ${version} has no chart`,
    why: 'The change would silently be lost',
    fix: 'remove it; the control plane configures tracing: tempo sets its value proxy.tracing, and patch() of LinkerdControlPlane changes its objects',
  },
  'trace-links-without-viz': {
    severity: 'error',
    what: ({ service }: { service: string }) => `tempo.query.service is "${service}", but there is no viz`,
    why: 'Only the dashboard of Viz uses it, to link to traces',
    fix: 'set viz, or remove tempo.query',
  },
});
