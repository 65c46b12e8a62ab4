import { catalogue } from '#base/findings/catalogue';

/** Findings about alerts and dashboards. */
export const MONITORING_FINDINGS = catalogue({
  'alert-threshold-refused/share': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) =>
      `thresholds.${field} is ${value}, not a number between 0 and 1`,
    why: 'The threshold is a share: with 0 or less a single failure fires the alert, with 1 or more nothing does',
    fix: ({ field }: { field: string }) => `set thresholds.${field} to a number between 0 and 1, such as 0.1 for 10 %`,
  },
  'alert-threshold-refused/time': {
    severity: 'error',
    what: ({ field, seconds }: { field: string; seconds: number }) =>
      `thresholds.${field} is ${seconds} seconds, which is out of range`,
    why: 'The alert would always fire, or never',
    fix: ({ field, range }: { field: string; range: string }) => `set thresholds.${field} to ${range}`,
  },
  'alert-threshold-refused/growth': {
    severity: 'error',
    what: ({ value }: { value: string }) => `thresholds.denialsGrowth is ${value}, not a number above 1`,
    why: 'The alert fires above this multiple of earlier denials: with 1 or less, usual variation is enough',
    fix: 'set thresholds.denialsGrowth to a number above 1, such as 2',
  },
  'alert-threshold-refused/rate': {
    severity: 'error',
    what: ({ value }: { value: string }) => `thresholds.denialsRate is ${value}, not a number above 0`,
    why: 'Without a smallest rate, a single denial is an increase, and the alert always fires',
    fix: 'set thresholds.denialsRate to denials a second, such as 0.1',
  },
  'alert-unknown': {
    severity: 'error',
    what: ({ name }: { name: string }) => `severity has "${name}", which is not an alert of MeshAlerts`,
    why: 'No alert would change',
    fix: ({ names }: { names: string }) => `write one of ${names}`,
  },
  'alert-severity-refused': {
    severity: 'error',
    what: ({ name, value }: { name: string; value: string }) =>
      `severity.${name} is ${value}, neither a severity nor false`,
    why: 'The value becomes the label severity of the alert, by which Alertmanager routes it',
    fix: "write a severity, such as 'warning', or false to leave the alert out",
  },
  'monitoring-missing': {
    severity: 'error',
    what: ({ prop }: { prop: string }) => `${prop} of LinkerdMesh is set without monitoring`,
    why: ({ prop }: { prop: string }) =>
      `Prometheus would not scrape the metrics that ${prop} needs, and the objects of ${prop} would have no namespace`,
    fix: "set monitoring: { namespace: 'monitoring' } of LinkerdMesh",
  },
  'alert-metrics-missing/control-plane': {
    severity: 'warning',
    what: 'MeshAlerts watches a control plane that no PodMonitor scrapes',
    why: 'Alerts on missing components fire after five minutes, and those that need other metrics of the control plane or of proxies cannot fire',
    fix: "set monitoring: { namespace: 'monitoring' } of LinkerdMesh or LinkerdControlPlane; if another scrape configuration has the jobs linkerd-controller and linkerd-proxy, acknowledge the warning: Warnings.of(alerts).acknowledge('alert-metrics-missing', 'the reason')",
  },
  'alert-metrics-missing/operator': {
    severity: 'warning',
    what: 'MeshAlerts watches an operator that no PodMonitor scrapes',
    why: 'The alert on an operator without a leader fires after five minutes, and no other alert on the operator can fire',
    fix: "set monitoring: { namespace: 'monitoring' } of ReconcilerOperator; if another scrape configuration covers the operator, acknowledge the warning: Warnings.of(alerts).acknowledge('alert-metrics-missing', 'the reason')",
  },
});
