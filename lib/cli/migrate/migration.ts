import type { Problem } from '#base/findings/problem';
import type { Values } from '#base/values';
import type { Reference } from '#kubernetes/objects/references';
import type { Chart } from '#linkerd/charts/chart';
import type { Release } from '#linkerd/releases/release';
import type { ManagerChart, MigratedChart } from '../repository/sources/source';
import type { Call, Statement } from './code';
import type { GivenPki } from './folder/pki';

/** A release of cert-manager or trust-manager, with values that its chart accepts. */
export interface GivenManager {
  readonly version: string | undefined;
  readonly namespace: string | undefined;
  readonly values: Values | undefined;
  /** Remarks about omitted parts. */
  readonly remarks: readonly string[];
}

/** The contents of a repository besides the charts of the mesh. */
export interface Surroundings {
  readonly pki: GivenPki;
  readonly managers: Readonly<Partial<Record<ManagerChart, GivenManager>>>;
  /** Managers with objects in the repository, but without a release. */
  readonly existing: readonly ManagerChart[];
}

/** Options for the values of all charts. */
export interface MigrationOptions {
  readonly release: Release;
  /** The cluster already has cert-manager and trust-manager, which stay. */
  readonly existingCertManager?: boolean | undefined;
  /** No mesh runs yet, so cert-manager may issue the anchor if the values have none. */
  readonly newAnchor?: boolean | undefined;
  /** The time for which the expiry of certificates is checked; absent for no check. */
  readonly now?: Date | undefined;
  /** Absent for values without a repository. */
  readonly surroundings?: Surroundings;
}

/** A user's values of a chart, without secrets and accepted by the chart. */
export interface MigrationRequest extends MigrationOptions {
  readonly chart: Chart;
  readonly values: Values;
  /** Remarks of the program about values that were left out. */
  readonly remarks: readonly string[];
  /** Namespace of the release; absent for the default. */
  readonly namespace?: string | undefined;
  /** Values of linkerd-crds, which the control plane installs. */
  readonly crds?: Values;
  /** The program also contains the CNI plugin, from its own values. */
  readonly hasPlugin?: boolean;
}

/** The construct that replaces a release of a chart. */
export interface MigratedPart {
  /** Name of the function that creates the construct alone. */
  readonly name: string;
  /** Name of the construct's variable in a program with several parts. */
  readonly variable: string;
  readonly needsControlPlane?: boolean;
  readonly statements: readonly Statement[];
  readonly remarks: readonly string[];
  /** Remarks above the construct. */
  readonly above?: readonly string[];
  readonly external: readonly Reference[];
  readonly result: Call;
  /** Calls that follow the construct. */
  readonly after?: readonly Call[];
  readonly warnings: readonly Problem[];
}

/** The construct for values, or the problems. */
export type PartMigration = MigratedPart | { readonly problems: readonly Problem[] };

/** A program that is equivalent to values, and warnings about omitted values. */
export interface MigratedProgram {
  readonly program: string;
  readonly warnings: readonly Problem[];
  readonly parts: readonly MigratedPart[];
  /** The charts that the program does not install. */
  readonly without: readonly MigratedChart[];
}

/** The problems that prevent a program. */
export interface MigrationProblems {
  readonly problems: readonly Problem[];
  /** Notes about parts that a program would leave out. */
  readonly notes?: readonly Problem[];
}

/** A program for values, or the problems. */
export type Migration = MigratedProgram | MigrationProblems;
