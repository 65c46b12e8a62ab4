import { exactlyOne } from './alternatives';
import { all, each, fields, listIn, object, REFUSES } from './check';
import type { RuleTable } from './rule-table';
import { headerName, notNegative, port, portNumber, positive } from './scalars';

const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc'];

/** Rules of probes and hooks. */
export const PROBE_RULES: RuleTable = {
  Probe: all(
    exactlyOne(HANDLERS, 'a probe does one thing'),
    fields({
      initialDelaySeconds: notNegative,
      timeoutSeconds: notNegative,
      periodSeconds: notNegative,
      successThreshold: notNegative,
      failureThreshold: notNegative,
      terminationGracePeriodSeconds: positive,
    }),
  ),
  LifecycleHandler: exactlyOne(['exec', 'httpGet', 'sleep', 'tcpSocket'], 'a hook does one thing'),
  ExecAction: object((action, findings) => {
    if (listIn(action, 'command').length > 0) return;
    findings.refuseWhole({
      code: 'field-missing',
      says: 'has no command',
      why: `${REFUSES}: there is nothing to run`,
      fix: 'set the command',
    });
  }),
  HTTPGetAction: fields({ port, httpHeaders: each(fields({ name: headerName })) }),
  TCPSocketAction: fields({ port }),
  GRPCAction: fields({ port: portNumber }),
};
