import type { Container, ContainerPort, VolumeMount } from '../../../../../imports/kubernetes';
import { unlessEmpty } from '../../empty';
import { livenessProbe, readinessProbe } from '../../pod/probes';
import { resources } from '../../pod/resources';
import { unprivileged } from '../../pod/security-context';
import type { VizView } from '../viz-view';
import type { ComponentValues } from './component-values';
import { componentImage } from './images';

/** The differences between the containers of Viz. */
export interface ContainerOptions {
  readonly name: string;
  readonly args: readonly string[];
  /** Ports besides that of probes and metrics. */
  readonly ports: readonly ContainerPort[];
  /** Port of probes and metrics. */
  readonly adminPort: number;
  readonly volumeMounts: readonly VolumeMount[];
}

/** A container of Viz: it can do nothing but run. */
export function container(values: VizView, component: ComponentValues, options: ContainerOptions): Container {
  const { name, args, ports, adminPort, volumeMounts } = options;
  return {
    name,
    ...componentImage(values, component.image),
    args,
    ports: [...ports, { containerPort: adminPort, name: values.templates.adminPort }],
    livenessProbe: livenessProbe({}, adminPort),
    readinessProbe: readinessProbe({}, adminPort),
    resources: resources(component.resources),
    securityContext: unprivileged(component.UID || values.defaultUID, component.GID || values.defaultGID),
    volumeMounts: unlessEmpty(volumeMounts),
  };
}
