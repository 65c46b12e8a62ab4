import { exactlyOne } from './alternatives';
import { all, each, fields, listIn, object, required } from './check';
import type { RuleTable } from './rule-table';
import { headerName, notNegative, port, portNumber, positive } from './scalars';

const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc'];

/** Rules of probes and hooks. */
export const PROBE_RULES: RuleTable = {
  Probe: all(
    exactlyOne(HANDLERS, 'a probe has one of them'),
    fields({
      initialDelaySeconds: notNegative,
      timeoutSeconds: notNegative,
      periodSeconds: notNegative,
      successThreshold: notNegative,
      failureThreshold: notNegative,
      terminationGracePeriodSeconds: positive,
    }),
  ),
  LifecycleHandler: exactlyOne(['exec', 'httpGet', 'sleep', 'tcpSocket'], 'a hook has one of them'),
  ExecAction: object((action, findings) => {
    if (listIn(action, 'command').length > 0) return;
    findings.refuseWhole(required('command', 'there is nothing to run', 'set the command'));
  }),
  HTTPGetAction: fields({ port, httpHeaders: each(fields({ name: headerName })) }),
  TCPSocketAction: fields({ port }),
  GRPCAction: fields({ port: portNumber }),
};
