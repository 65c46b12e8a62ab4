import type { Container } from '../../../../../imports/kubernetes';
import { addedEnvironment } from '../../pod/environment';
import { livenessProbe, readinessProbe } from '../../pod/probes';
import { resources } from '../../pod/resources';
import { print } from '../../print';
import type { ControlPlaneView } from '../control-plane-view';
import { controller } from '../pod/controller';
import { portName } from '../pod/port-name';

const ADMIN_PORT = 9997;

/** The webhook that validates ServiceProfiles. */
export function spValidatorContainer(values: ControlPlaneView): Container {
  const { spValidator: own } = values;
  const env = addedEnvironment(own);
  return controller(
    values,
    {
      name: 'sp-validator',
      args: [
        'sp-validator',
        print`-log-level=${values.controllerLogLevel}`,
        print`-log-format=${values.controllerLogFormat}`,
        `-enable-pprof=${values.enablePprof ?? false}`,
      ],
      ...(env.length > 0 ? { env } : {}),
      livenessProbe: livenessProbe(own.livenessProbe, ADMIN_PORT),
      readinessProbe: readinessProbe(own.readinessProbe, ADMIN_PORT),
      ports: [
        { containerPort: 8443, name: 'sp-validator' },
        { containerPort: ADMIN_PORT, name: portName(values, 'spval-admin') },
      ],
      resources: resources(values.spValidatorResources),
    },
    [{ mountPath: '/var/run/linkerd/tls', name: 'sp-tls', readOnly: true }],
  );
}
