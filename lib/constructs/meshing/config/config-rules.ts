import { defined } from '#base/defined';
import type { Problem } from '#base/findings/problem';
import { isMap, type Values, valueAt } from '#base/values';
import { checkGoDuration, type DurationLike, goDurationOf, milliseconds } from '#lib/kubernetes/go-duration';
import { checkAnnotationKey, checkPort } from '#lib/kubernetes/names';
import { checkPorts, type Ports } from '#lib/linkerd/ports';
import { defaultsOf } from '#lib/linkerd/releases/chart-defaults';
import type { InjectorFeatures, WorkloadSetting } from '#lib/linkerd/releases/groups/injector';
import { type Release, releaseOf } from '#lib/linkerd/releases/release';
import { checkPortsDiffer } from '#operator/api/injection/proxy-ports';
import { checkImageName, checkImageTag, checkOneLine } from '#operator/api/injection/text-forms';
import { PROXY_VALUE_FINDINGS } from '#operator/api/proxy-values/findings';
import { checkLogLevel } from '#operator/api/proxy-values/log-level';
import { checkAmount, type ResourceRange } from '#operator/api/proxy-values/quantity';
import { checkSubnets } from '#operator/api/proxy-values/subnets';
import { CONTROL_PLANE_FINDINGS } from '../../control-plane/findings';
import { MESHING_FINDINGS } from '../findings';
import { hasNativeSidecars, type Mesh } from '../mesh';
import { TRACE_ATTRIBUTE_PREFIX } from './config-annotations';
import type { MeshConfig } from './mesh-config';
import type { ImageConfig, ProxyConfig } from './proxy-config';

/** Reports settings that Linkerd would ignore, or that would keep pods from starting. */
export function checkMeshConfig(config: MeshConfig, mesh: Mesh): readonly Problem[] {
  const { proxy = {} } = config;
  return [
    ...checkTraffic(config),
    ...checkTraceAttributes(config.traceAttributes),
    ...checkResources(proxy),
    ...checkUser(proxy),
    ...(proxy.logLevel === undefined ? [] : checkLogLevel('proxy.logLevel', proxy.logLevel)),
    ...checkDurations(proxy),
    ...checkWaitBeforeExit(proxy, mesh),
    ...checkProxyPorts(proxy, mesh),
    ...checkConfigImages(config),
    ...checkCloseWait(proxy, mesh),
    ...checkSupport(config, releaseOf(mesh.release)),
  ];
}

function checkTraffic(config: MeshConfig): readonly Problem[] {
  const ports: readonly (readonly [string, Ports | undefined])[] = [
    ['opaquePorts', config.opaquePorts],
    ['skipInboundPorts', config.skipInboundPorts],
    ['skipOutboundPorts', config.skipOutboundPorts],
    ['podInboundPorts', config.podInboundPorts],
  ];
  return [
    ...ports.flatMap(([field, value]) => checkPorts(field, value ?? [])),
    ...checkSubnets('skipSubnets', config.skipSubnets ?? [], PROXY_VALUE_FINDINGS.addressRefusedSkippedSubnet),
  ];
}

function checkTraceAttributes(attributes: MeshConfig['traceAttributes'] = {}): readonly Problem[] {
  return Object.entries(attributes).flatMap(([name, value]) => [
    ...checkAnnotationKey('the annotation of a trace attribute', `${TRACE_ATTRIBUTE_PREFIX}${name}`),
    ...checkOneLine(`traceAttributes.${name}`, value),
  ]);
}

function checkResources(proxy: ProxyConfig): readonly Problem[] {
  const amounts: readonly (readonly [string, ResourceRange | undefined, boolean])[] = [
    ['proxy.cpu', proxy.cpu, false],
    ['proxy.memory', proxy.memory, true],
    ['proxy.ephemeralStorage', proxy.ephemeralStorage, true],
  ];
  const problems = amounts.flatMap(([field, amount, whole]) => checkAmount(field, amount ?? {}, whole));
  const ratio = proxy.cpuRatioLimit;
  if (ratio === undefined || (ratio > 0 && ratio <= 1)) return problems;
  return [...problems, MESHING_FINDINGS.settingRefusedCpuRatio({ ratio })];
}

/** The largest user or group id in Kubernetes. */
const LAST_USER = 2 ** 31 - 1;

function checkUser({ uid, gid }: ProxyConfig): readonly Problem[] {
  return Object.entries({ uid, gid }).flatMap(([field, id]) =>
    id === undefined || (Number.isInteger(id) && id >= 1 && id <= LAST_USER)
      ? []
      : [
          CONTROL_PLANE_FINDINGS.controlPlaneValueRefusedProxyUser({
            path: `proxy.${field}`,
            value: id,
            most: LAST_USER,
          }),
        ],
  );
}

function checkDurations(proxy: ProxyConfig): readonly Problem[] {
  const { connectTimeout, discoveryCacheTimeout } = proxy;
  const durations: readonly (readonly [string, DurationLike | undefined, seconds?: 'seconds'])[] = [
    ['proxy.shutdownGracePeriod', proxy.shutdownGracePeriod],
    ['proxy.connectTimeout.inbound', connectTimeout?.inbound],
    ['proxy.connectTimeout.outbound', connectTimeout?.outbound],
    ['proxy.waitBeforeExit', proxy.waitBeforeExit, 'seconds'],
    ['proxy.closeWaitTimeout', proxy.closeWaitTimeout, 'seconds'],
    ['proxy.discoveryCacheTimeout.inbound', discoveryCacheTimeout?.inbound, 'seconds'],
    ['proxy.discoveryCacheTimeout.outbound', discoveryCacheTimeout?.outbound, 'seconds'],
  ];
  return durations.flatMap(([field, duration, seconds]) => {
    if (duration === undefined) return [];
    const problems = checkGoDuration(field, duration);
    return problems.length > 0 || seconds === undefined ? problems : checkWholeSeconds(field, duration);
  });
}

function checkWholeSeconds(field: string, duration: DurationLike): readonly Problem[] {
  const ms = milliseconds(duration);
  if (ms % 1000 === 0) return [];
  return [MESHING_FINDINGS.settingRefusedSeconds({ field, milliseconds: ms, seconds: Math.ceil(ms / 1000) })];
}

function checkWaitBeforeExit({ waitBeforeExit, nativeSidecar }: ProxyConfig, mesh: Mesh): readonly Problem[] {
  const native = nativeSidecar ?? hasNativeSidecars(mesh);
  const wait = goDurationOf(waitBeforeExit)?.toHumanString();
  if (wait === undefined || !native) return [];
  const { version, groups } = releaseOf(mesh.release);
  return [
    groups.controlPlane.templates.nativeSidecarRefusesWait
      ? MESHING_FINDINGS.settingRefusedWaitFails({ wait, version })
      : MESHING_FINDINGS.settingRefusedWait({ wait }),
  ];
}

function checkProxyPorts({ ports = {} }: ProxyConfig, mesh: Mesh): readonly Problem[] {
  const problems = Object.entries(ports).flatMap(([name, port]) =>
    port === undefined ? [] : checkPort(`proxy.ports.${name}`, port),
  );
  if (problems.length > 0 || Object.values(ports).every((port) => port === undefined)) return problems;
  const meshPorts = valueAt(valuesOf(mesh), 'proxy.ports');
  return checkPortsDiffer('proxy.ports', { ...(isMap(meshPorts) ? meshPorts : {}), ...defined(ports) });
}

function checkConfigImages({ proxy = {}, debugSidecar }: MeshConfig): readonly Problem[] {
  const images: readonly (readonly [string, Pick<ImageConfig, 'name' | 'version'> | undefined])[] = [
    ['proxy.image', proxy.image],
    ['proxy.initImage', proxy.initImage],
    ['debugSidecar', typeof debugSidecar === 'object' ? debugSidecar : undefined],
  ];
  return images.flatMap(([field, { name, version } = {}]) => [
    ...(name === undefined ? [] : checkImageName(`${field}.name`, name)),
    ...(version === undefined ? [] : checkImageTag(`${field}.version`, version)),
  ]);
}

/** With the CNI plugin no init container can set it. */
function checkCloseWait({ closeWaitTimeout }: ProxyConfig, { effectiveValues: values }: Mesh): readonly Problem[] {
  if (closeWaitTimeout === undefined || values === undefined || values.cniEnabled === true) return [];
  return valueAt(values, 'proxyInit.runAsRoot') === true ? [] : [MESHING_FINDINGS.settingRefusedCloseWaitTimeout()];
}

function valuesOf({ effectiveValues, release }: Mesh): Values {
  return effectiveValues ?? defaultsOf(releaseOf(release)).controlPlane;
}

interface Setting {
  readonly field: string;
  readonly isKnown: (features: InjectorFeatures) => boolean;
  readonly value: (config: MeshConfig) => unknown;
  /** @default - the finding whose fix is a current release */
  readonly finding?: (parameters: Unsupported) => Problem;
}

type Unsupported = Readonly<Record<'field' | 'value' | 'version', string>>;

const listed =
  (setting: WorkloadSetting) =>
  ({ workloadSettings }: InjectorFeatures): boolean =>
    workloadSettings.includes(setting);

/**
 * Settings that not all releases support, by `linkerd doc` of 2.14 and 2.20
 * (https://linkerd.io/2-edge/reference/proxy-configuration/) and the proxies' own options.
 */
const SETTINGS: readonly Setting[] = [
  {
    field: 'proxy.initImage',
    isKnown: listed('proxy.initImage'),
    value: ({ proxy }) => proxy?.initImage,
    finding: MESHING_FINDINGS.settingUnsupportedInitImage,
  },
  { field: 'proxy.gid', isKnown: listed('proxy.gid'), value: ({ proxy }) => proxy?.gid },
  { field: 'proxy.env', isKnown: listed('proxy.env'), value: ({ proxy }) => proxy?.env },
  {
    field: 'proxy.cpuRatioLimit',
    isKnown: listed('proxy.cpuRatioLimit'),
    value: ({ proxy }) => proxy?.cpuRatioLimit,
    finding: MESHING_FINDINGS.settingUnsupportedCpuRatio,
  },
  {
    field: 'proxy.nativeSidecar',
    isKnown: ({ nativeSidecarAnnotation }) => nativeSidecarAnnotation !== undefined,
    value: ({ proxy }) => proxy?.nativeSidecar || undefined,
    finding: MESHING_FINDINGS.settingUnsupportedNativeSidecar,
  },
  {
    field: 'defaultInboundPolicy',
    isKnown: listed('defaultInboundPolicy audit'),
    value: ({ defaultInboundPolicy }) => (defaultInboundPolicy === 'audit' ? defaultInboundPolicy : undefined),
    finding: MESHING_FINDINGS.settingUnsupportedAudit,
  },
  {
    field: 'traceAttributes',
    isKnown: listed('traceAttributes'),
    value: ({ traceAttributes }) => traceAttributes,
  },
];

/** A release silently ignores settings that it does not support. */
function checkSupport(config: MeshConfig, release: Release): readonly Problem[] {
  const features = release.groups.injector;
  return SETTINGS.filter(({ isKnown }) => !isKnown(features)).flatMap(
    ({ field, value, finding = MESHING_FINDINGS.settingUnsupported }) => {
      const set = value(config);
      if (set === undefined) return [];
      return [finding({ field, value: String(JSON.stringify(set)), version: release.version })];
    },
  );
}
