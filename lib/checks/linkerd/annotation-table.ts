import type { Problem } from '#base/findings/problem';
import { goDurationNanoseconds } from '#base/go-duration';
import { textIn } from '#base/select-fields';
import { suggest } from '#base/suggest';
import { checkPort } from '#kubernetes/names';
import {
  checkGoDuration,
  type DurationLike,
  goDuration,
  goDurationOf,
  milliseconds,
} from '#kubernetes/options/duration-like';
import type { InjectMode } from '#linkerd/annotation-values';
import * as keys from '#linkerd/annotations';
import { LINKERD_FINDINGS } from '#linkerd/findings';
import { INJECTION_FINDINGS } from '#linkerd/injection/findings';
import { INBOUND_POLICIES } from '#linkerd/injection/injected-values';
import { checkImageName, checkImageTag, checkOneLine, shownText } from '#linkerd/injection/text-forms';
import { checkPortOrRange, type Ports, portsIn, portsText } from '#linkerd/ports';
import { PROXY_VALUE_FINDINGS } from '#linkerd/proxy-values/findings';
import { checkLogLevel } from '#linkerd/proxy-values/log-level';
import { checkQuantity } from '#linkerd/proxy-values/quantity';
import { checkSubnets } from '#linkerd/proxy-values/subnets';
import type { InjectorFeatures, WorkloadSetting } from '#linkerd/releases/groups/injector';

/** The values that an annotation may have. */
interface AnnotationForm {
  /**
   * Reports text that Linkerd ignores, or with which pods do not start.
   *
   * @param field - name of the setting in messages
   */
  readonly check: (field: string, text: string) => readonly Problem[];
  /** Returns the text for the value of a prop; undefined if it has none. */
  readonly write: (value: unknown) => string | undefined;
  /** The accepted values, if there are few. */
  readonly words?: readonly string[];
}

/** What reads an annotation: the metadata of pods, of namespaces, or of Services. */
export type AnnotationPlace = 'namespace' | 'pod' | 'service';

/** An annotation that Linkerd, an extension or the operator reads. */
export interface KnownAnnotation {
  readonly key: string;
  readonly form: AnnotationForm;
  readonly on: readonly AnnotationPlace[];
  /**
   * Path of its prop in MeshConfig.
   *
   * @default - none: constructs do not write it, or write it by special rules
   */
  readonly prop?: string | undefined;
}

const asText = (value: unknown): string => String(value);

function form(check: AnnotationForm['check'], write: AnnotationForm['write'] = asText): AnnotationForm {
  return { check, write };
}

/** Accepts an empty text, which charts print for a value that is not set: the mesh's default applies. */
function unless(check: AnnotationForm['check']): AnnotationForm['check'] {
  return (field, text) => (text === '' ? [] : check(field, text));
}

function refused(isRight: (text: string) => boolean, proposed: string): AnnotationForm['check'] {
  return unless((field, text) =>
    isRight(text) ? [] : [LINKERD_FINDINGS.settingRefusedValue({ field, value: shownText(text), proposed })],
  );
}

function word(...words: readonly string[]): AnnotationForm {
  const check = unless((field, text) => {
    if (words.includes(text)) return [];
    const proposed = suggest(text, words)[0] ?? `one of ${words.join(', ')}`;
    return [LINKERD_FINDINGS.settingRefusedValue({ field, value: shownText(text), proposed })];
  });
  return { check, write: asText, words };
}

const NUMBER = /^[-+]?\d+(?:\.\d+)?$/;
/** The name of a port of a container, which the injector looks up for opaque ports. */
const PORT_NAME = /^(?=.*[a-z])[a-z0-9](?:[a-z0-9-]{0,13}[a-z0-9])?$/;

function portList(named: boolean): AnnotationForm {
  const check = unless((field, text) =>
    portsIn(text).flatMap((port, index) =>
      named && PORT_NAME.test(`${port}`) ? [] : checkPortOrRange(`${field}[${index}]`, port as Ports[number]),
    ),
  );
  return form(check, (value) => portsText(value as Ports));
}

const SUBNETS = form(
  unless((field, text) => checkSubnets(field, text.split(','), PROXY_VALUE_FINDINGS.addressRefusedSkippedSubnet)),
  (value) => (value as readonly string[]).join(','),
);
const PORT = form(unless((field, text) => checkPort(field, NUMBER.test(text) ? Number(text) : Number.NaN)));
/** Texts that strconv.ParseBool of Go accepts. */
const GO_BOOLEAN = /^(?:1|t|T|TRUE|true|True|0|f|F|FALSE|false|False)$/;
const BOOLEAN = form(refused((text) => GO_BOOLEAN.test(text), 'true or false'));
const SWITCH: AnnotationForm = { ...word('enabled', 'disabled'), write: (value) => (value ? 'enabled' : 'disabled') };
const GO_DURATION = form(
  refused((text) => (goDurationNanoseconds(text) ?? -1n) >= 0n, 'a duration with its unit, such as 30s or 1m30s'),
  (value) => {
    const duration = value as DurationLike;
    return checkGoDuration('', duration).length > 0 ? undefined : goDuration(duration);
  },
);
const SECONDS = form(
  refused((text) => /^\d+$/.test(text), 'whole seconds without a unit, such as 30'),
  (value) => {
    const duration = goDurationOf(value);
    const seconds = duration && milliseconds(duration) / 1000;
    return Number.isInteger(seconds) ? `${seconds}` : undefined;
  },
);
const RATIO = form(
  unless((field, text) => {
    const ratio = text.trim() === '' ? Number.NaN : Number(text);
    return ratio > 0 && ratio < 1 ? [] : [LINKERD_FINDINGS.settingRefusedCpuRatio({ field, ratio })];
  }),
);

/** The largest user or group id in Kubernetes. */
const LAST_USER = 2 ** 31 - 1;

const USER = form(
  unless((path, text) => {
    const value = NUMBER.test(text) ? Number(text) : Number.NaN;
    if (Number.isInteger(value) && value >= 1 && value <= LAST_USER) return [];
    return [LINKERD_FINDINGS.controlPlaneValueRefusedProxyUser({ path, value, most: LAST_USER })];
  }),
);
const CPU = form(unless((field, text) => checkQuantity(field, text, false)));
const BYTES = form(unless((field, text) => checkQuantity(field, text, true)));
const IMAGE = form(checkImageName);
const TAG = form(unless(checkImageTag));
const TEXT = form(checkOneLine);
const LOG_LEVEL = form(checkLogLevel);
const PULL_POLICY = word('Always', 'IfNotPresent', 'Never');
const ENVIRONMENT = form(unless(checkEnvironment), (value) => JSON.stringify(value));

function checkEnvironment(field: string, text: string): readonly Problem[] {
  const list = parsed(text);
  if (!Array.isArray(list)) {
    const proposed = `'[{"name":"NAME","value":"value"}]'`;
    return [LINKERD_FINDINGS.settingRefusedValue({ field, value: shownText(text), proposed })];
  }
  return list.flatMap((variable: unknown, index) => {
    const name = textIn(variable, 'name');
    const place = `${field}[${index}]`;
    if (name !== undefined) return [];
    return [INJECTION_FINDINGS.injectedValueRefusedVariable({ field: place }, { about: place })];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const POLICY = word(...INBOUND_POLICIES, 'audit');

const MODES: readonly InjectMode[] = ['enabled', 'disabled', 'ingress'];

/** The modes of https://linkerd.io/2-edge/features/proxy-injection/ */
const MODE = form(
  unless((annotation, text) => {
    if (MODES.some((mode) => mode === text)) return [];
    const proposed = suggest(text, MODES)[0] ?? MODES.join(' or ');
    const found = { annotation, mode: shownText(text), known: MODES.join(', '), proposed };
    return [LINKERD_FINDINGS.controlPlaneValueRefusedInjectMode(found)];
  }),
);

/** Prefix of the annotations for attributes of a pod's traces. The attribute's name follows the slash. */
export const TRACE_ATTRIBUTE_PREFIX = 'resource.opentelemetry.io/';

type Row = readonly [key: string, form: AnnotationForm, prop?: string, on?: readonly AnnotationPlace[]];

const PODS: readonly AnnotationPlace[] = ['pod', 'namespace'];

/** Pods do not inherit them from their namespace: ProxyAnnotations in pkg/inject/inject.go of linkerd2 lacks them. */
const ONLY_PODS: readonly AnnotationPlace[] = ['pod'];

/** The annotations that the injector reads: ApplyAnnotationOverrides in pkg/inject/inject.go of linkerd2. */
const ROWS: readonly Row[] = [
  [keys.INJECT, MODE],
  [keys.OPAQUE_PORTS, portList(true), 'opaquePorts', [...PODS, 'service']],
  [keys.SKIP_INBOUND_PORTS, portList(false), 'skipInboundPorts'],
  [keys.SKIP_OUTBOUND_PORTS, portList(false), 'skipOutboundPorts'],
  [keys.SKIP_SUBNETS, SUBNETS, 'skipSubnets'],
  [keys.POD_INBOUND_PORTS, portList(false), 'podInboundPorts'],
  [keys.DEFAULT_INBOUND_POLICY, POLICY, 'defaultInboundPolicy'],
  [keys.ENABLE_EXTERNAL_PROFILES, BOOLEAN, 'externalProfiles'],
  [keys.ENABLE_DEBUG_SIDECAR, BOOLEAN],
  [keys.DEBUG_IMAGE, IMAGE, 'debugSidecar.name', ONLY_PODS],
  [keys.DEBUG_IMAGE_VERSION, TAG, 'debugSidecar.version', ONLY_PODS],
  [keys.DEBUG_IMAGE_PULL_POLICY, PULL_POLICY, 'debugSidecar.pullPolicy', ONLY_PODS],
  [keys.PROXY_CPU_REQUEST, CPU, 'proxy.cpu.request'],
  [keys.PROXY_CPU_LIMIT, CPU, 'proxy.cpu.limit'],
  [keys.PROXY_MEMORY_REQUEST, BYTES, 'proxy.memory.request'],
  [keys.PROXY_MEMORY_LIMIT, BYTES, 'proxy.memory.limit'],
  [keys.PROXY_EPHEMERAL_STORAGE_REQUEST, BYTES, 'proxy.ephemeralStorage.request'],
  [keys.PROXY_EPHEMERAL_STORAGE_LIMIT, BYTES, 'proxy.ephemeralStorage.limit'],
  [keys.PROXY_CPU_RATIO_LIMIT, RATIO, 'proxy.cpuRatioLimit', ONLY_PODS],
  [keys.PROXY_IMAGE, IMAGE, 'proxy.image.name'],
  [keys.PROXY_VERSION, TAG, 'proxy.image.version'],
  [keys.IMAGE_PULL_POLICY, PULL_POLICY, 'proxy.image.pullPolicy'],
  [keys.INIT_IMAGE, IMAGE, 'proxy.initImage.name'],
  [keys.INIT_IMAGE_VERSION, TAG, 'proxy.initImage.version'],
  [keys.PROXY_UID, USER, 'proxy.uid'],
  [keys.PROXY_GID, USER, 'proxy.gid'],
  [keys.PROXY_LOG_LEVEL, LOG_LEVEL, 'proxy.logLevel'],
  [keys.PROXY_LOG_FORMAT, word('plain', 'json'), 'proxy.logFormat'],
  [keys.PROXY_LOG_HTTP_HEADERS, word('insecure', 'off')],
  [keys.PROXY_METRICS_HOSTNAME_LABELS, BOOLEAN],
  [keys.PROXY_ADMIN_SHUTDOWN, SWITCH],
  [keys.ACCESS_LOG, word('apache', 'json'), 'proxy.accessLog'],
  [keys.PROXY_ADDITIONAL_ENV, ENVIRONMENT, 'proxy.env'],
  [keys.PROXY_AWAIT, SWITCH, 'proxy.await'],
  [keys.NATIVE_SIDECAR, BOOLEAN],
  [keys.NATIVE_SIDECAR_BETA, BOOLEAN],
  [keys.NATIVE_SIDECAR_ALPHA, BOOLEAN],
  [keys.PROXY_WAIT_BEFORE_EXIT_SECONDS, SECONDS, 'proxy.waitBeforeExit'],
  [keys.SHUTDOWN_GRACE_PERIOD, GO_DURATION, 'proxy.shutdownGracePeriod'],
  [keys.CLOSE_WAIT_TIMEOUT, GO_DURATION, 'proxy.closeWaitTimeout', ONLY_PODS],
  [keys.PROXY_INBOUND_CONNECT_TIMEOUT, GO_DURATION, 'proxy.connectTimeout.inbound'],
  [keys.PROXY_OUTBOUND_CONNECT_TIMEOUT, GO_DURATION, 'proxy.connectTimeout.outbound'],
  [keys.PROXY_INBOUND_DISCOVERY_CACHE_UNUSED_TIMEOUT, GO_DURATION, 'proxy.discoveryCacheTimeout.inbound'],
  [keys.PROXY_OUTBOUND_DISCOVERY_CACHE_UNUSED_TIMEOUT, GO_DURATION, 'proxy.discoveryCacheTimeout.outbound'],
  [keys.PROXY_DISABLE_INBOUND_PROTOCOL_DETECT_TIMEOUT, BOOLEAN, 'proxy.unlimitedProtocolDetection.inbound'],
  [keys.PROXY_DISABLE_OUTBOUND_PROTOCOL_DETECT_TIMEOUT, BOOLEAN, 'proxy.unlimitedProtocolDetection.outbound'],
  [keys.CONTROL_PORT, PORT, 'proxy.ports.control'],
  [keys.ADMIN_PORT, PORT, 'proxy.ports.admin'],
  [keys.INBOUND_PORT, PORT, 'proxy.ports.inbound'],
  [keys.OUTBOUND_PORT, PORT, 'proxy.ports.outbound'],
  [keys.REQUIRE_IDENTITY_INBOUND_PORTS, portList(false)],
  [keys.ENABLE_GATEWAY, BOOLEAN, undefined, ONLY_PODS],
  [keys.TRACE_COLLECTOR, TEXT],
  [keys.TRACE_COLLECTOR_SERVICE_ACCOUNT, TEXT],
  [keys.VIZ_DISABLE_TAP, BOOLEAN],
  [keys.MULTUS, word('enabled', 'disabled')],
];

/** The annotations that Linkerd, its extensions and the operator read on pods, namespaces and Services, by key. */
export const ANNOTATIONS: ReadonlyMap<string, KnownAnnotation> = new Map(
  ROWS.map(([key, form, prop, on = PODS]) => [key, { key, form, prop, on }]),
);

/** The annotations that Linkerd and its tools write themselves. */
export const WRITTEN_ANNOTATIONS: ReadonlySet<string> = new Set([
  keys.CREATED_BY,
  keys.PROXY_VERSION_INJECTED,
  keys.TRUST_ROOT_SHA256,
  keys.VIZ_TAP_ENABLED,
  keys.VIZ_EXTERNAL_PROMETHEUS,
  keys.JAEGER_TRACING_ENABLED,
]);

/** The labels that Linkerd and the operator read. */
export const LABELS: ReadonlySet<string> = new Set([
  keys.ADMISSION_WEBHOOKS,
  keys.CNI_RESOURCE,
  keys.CONTROL_PLANE_COMPONENT,
  keys.CONTROL_PLANE_NS,
  keys.EXTENSION,
  keys.IS_CONTROL_PLANE,
  keys.MIRROR_EXPORTED,
  keys.MIRROR_FEDERATED,
  keys.RECONCILE,
  keys.WORKLOAD_NS,
]);

/** Amounts whose request must not be more than their limit. */
export const AMOUNTS: readonly (readonly [request: string, limit: string])[] = [
  [keys.PROXY_CPU_REQUEST, keys.PROXY_CPU_LIMIT],
  [keys.PROXY_MEMORY_REQUEST, keys.PROXY_MEMORY_LIMIT],
  [keys.PROXY_EPHEMERAL_STORAGE_REQUEST, keys.PROXY_EPHEMERAL_STORAGE_LIMIT],
];

type Unsupported = Readonly<Record<'field' | 'value' | 'version', string>>;

/** A setting that not all releases support. */
export interface PartlySupported {
  /**
   * Path in MeshConfig.
   *
   * @default - none
   */
  readonly prop?: string;
  /** Keys of its annotations. */
  readonly keys: readonly string[];
  readonly isKnown: (features: InjectorFeatures) => boolean;
  /**
   * The only value that needs support.
   *
   * @default - all values
   */
  readonly only?: string;
  readonly finding: (parameters: Unsupported) => Problem;
}

const listed =
  (setting: WorkloadSetting) =>
  ({ workloadSettings }: InjectorFeatures): boolean =>
    workloadSettings.includes(setting);

const NATIVE_SIDECAR_KEYS: readonly string[] = [
  keys.NATIVE_SIDECAR_ALPHA,
  keys.NATIVE_SIDECAR_BETA,
  keys.NATIVE_SIDECAR,
];

/** Whether a release reads a key: each release reads its newest annotation, and the earlier ones. */
function nativeSidecarBy(key: string): PartlySupported['isKnown'] {
  return ({ nativeSidecarAnnotation: latest }) =>
    latest !== undefined && NATIVE_SIDECAR_KEYS.indexOf(key) <= NATIVE_SIDECAR_KEYS.indexOf(latest);
}

/**
 * Settings that not all releases support, according to `linkerd doc` of 2.14 and 2.20
 * (https://linkerd.io/2-edge/reference/proxy-configuration/) and the options of proxies.
 */
export const PARTLY_SUPPORTED: readonly PartlySupported[] = [
  {
    prop: 'proxy.initImage',
    keys: [keys.INIT_IMAGE, keys.INIT_IMAGE_VERSION],
    isKnown: listed('proxy.initImage'),
    finding: LINKERD_FINDINGS.settingUnsupportedInitImage,
  },
  {
    prop: 'proxy.gid',
    keys: [keys.PROXY_GID],
    isKnown: listed('proxy.gid'),
    finding: LINKERD_FINDINGS.settingUnsupported,
  },
  {
    prop: 'proxy.env',
    keys: [keys.PROXY_ADDITIONAL_ENV],
    isKnown: listed('proxy.env'),
    finding: LINKERD_FINDINGS.settingUnsupported,
  },
  {
    prop: 'proxy.cpuRatioLimit',
    keys: [keys.PROXY_CPU_RATIO_LIMIT],
    isKnown: listed('proxy.cpuRatioLimit'),
    finding: LINKERD_FINDINGS.settingUnsupportedCpuRatio,
  },
  {
    prop: 'proxy.nativeSidecar',
    keys: [keys.NATIVE_SIDECAR_ALPHA],
    isKnown: nativeSidecarBy(keys.NATIVE_SIDECAR_ALPHA),
    only: 'true',
    finding: LINKERD_FINDINGS.settingUnsupportedNativeSidecar,
  },
  ...[keys.NATIVE_SIDECAR_BETA, keys.NATIVE_SIDECAR].map((key) => ({
    keys: [key],
    isKnown: nativeSidecarBy(key),
    finding: LINKERD_FINDINGS.settingUnsupportedSidecarKey,
  })),
  {
    prop: 'defaultInboundPolicy',
    keys: [keys.DEFAULT_INBOUND_POLICY],
    isKnown: listed('defaultInboundPolicy audit'),
    only: 'audit',
    finding: LINKERD_FINDINGS.settingUnsupportedAudit,
  },
  {
    prop: 'podInboundPorts',
    keys: [keys.POD_INBOUND_PORTS],
    isKnown: listed('podInboundPorts'),
    finding: LINKERD_FINDINGS.settingUnsupportedPodPorts,
  },
  {
    prop: 'traceAttributes',
    keys: [],
    isKnown: listed('traceAttributes'),
    finding: LINKERD_FINDINGS.settingUnsupported,
  },
];
