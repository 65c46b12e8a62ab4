import type { Informer } from '#controller-runtime/cache/informer';
import type { KubeClient } from '#controller-runtime/client/kube-client';
import type { EventRecorder } from '#controller-runtime/events/event-recorder';
import type { KubeObject } from '#controller-runtime/objects/kube-object';
import type { Logger } from '#controller-runtime/telemetry/logger';
import type { Propagation } from '../../propagation/propagation';
import type { LinkerdConfig } from '../objects/linkerd-config';
import type { ConfigInForce, ConfigNote } from '../plan/plan-result';

/** The context and the memory for reconciling LinkerdConfigs. */
export interface ReconcileContext {
  readonly client: KubeClient;
  readonly events: EventRecorder;
  readonly log: Logger;
  readonly propagation: Propagation;
  /** All LinkerdConfigs, as last seen. */
  readonly configs: () => readonly LinkerdConfig[];
  /** LinkerdConfigs without pending work when they were last read, by name. */
  readonly settled: Map<string, SettledConfig>;
  /** Names of the LinkerdConfigs in force, the only ones that changes of workloads concern. */
  readonly following: Set<string>;
  /** Returns the cache of a LinkerdConfig's ConfigMap, whose changes cause another reconcile. */
  readonly follow: (config: LinkerdConfig) => Informer<KubeObject>;
  readonly linkerdNamespace: string;
  readonly installers: readonly string[];
  readonly clock: () => Date;
}

/** A LinkerdConfig in force, as read together with its ConfigMap. */
export interface SettledConfig {
  readonly config: LinkerdConfig;
  readonly inForce: ConfigInForce;
  /** The resourceVersion of the ConfigMap. */
  readonly resourceVersion: string | undefined;
}

/** The context of one reconcile. */
export interface Attempt extends ReconcileContext {
  readonly signal: AbortSignal;
}

/** Records notes about a LinkerdConfig as Events and in the log. */
export function recordNotes(config: LinkerdConfig, notes: readonly ConfigNote[], context: ReconcileContext): void {
  for (const note of notes) context.events.record({ regarding: config, ...note });
  logNotes(config, notes, context);
}

/** Writes notes to the log. */
export function logNotes(
  { metadata }: LinkerdConfig,
  notes: readonly ConfigNote[],
  context: Pick<ReconcileContext, 'log'>,
): void {
  for (const { type, reason, note } of notes) {
    context.log[type === 'Warning' ? 'warn' : 'info'](note, { config: metadata.name, reason });
  }
}
