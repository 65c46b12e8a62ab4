import type { CallExpression, Expression, ObjectExpression } from '@swc/core';
import { callsOf, type FunctionNode, isFunction, isObject, meaningOf, type Place, placesIn } from './scope';
import { type Sources, type Span, textOf } from './sources';
import { COMPUTED, type Mode, memberOf, spreadsOf, TextReader } from './texts';

/** A finding that the sources can make, with `…` for what is known only when they do. */
export interface SourceFinding {
  readonly code: string;
  /** The path of the source. */
  readonly source: string;
  readonly isWarning: boolean;
  readonly what: string;
  /** Undefined where nothing of it stands in the sources. */
  readonly why?: string | undefined;
  readonly fix: string;
}

/** Findings, and the objects of which none could be read. */
export interface SourceFindings {
  readonly findings: readonly SourceFinding[];
  /** Places of objects whose code does not stand in the sources. */
  readonly withoutCode: readonly string[];
}

/**
 * The fields that say the mistake: of a problem, of a refusal by the API server, and of a name that has not its form.
 */
const CAUSES: Readonly<Record<string, string>> = { what: '', says: `${COMPUTED} `, said: `${COMPUTED} is ` };

/** The files of catalogues, and the one that makes them. */
const CATALOGUES = /\/(?:findings|catalogue)\.ts$/;

/** The most calls of functions in functions whose texts are read. */
const MOST_CALLS = 4;

/** Finds all objects that are findings, and reads their texts. */
export function findingsIn(sources: Sources): SourceFindings {
  const uncatalogued = [...sources.values()].filter(({ path }) => !CATALOGUES.test(path));
  const candidates = uncatalogued.flatMap((source) => placesIn(source, isObject)).filter(isCandidate);
  const remade = candidates.filter((place) => isRemade(sources, place));
  const withoutCode: string[] = [];
  const findings = candidates
    .filter((place) => !remade.includes(place))
    .flatMap((place) => {
      const found = new FindingReader(sources, place, remade).findings();
      if (found === undefined || found.length === 0) withoutCode.push(`${place.source.path}:${lineOf(place)}`);
      return found ?? [];
    });
  return { findings: distinct(findings), withoutCode };
}

function lineOf({ source, node }: Place<ObjectExpression>): number {
  return textOf(source, { span: { start: 1, end: node.span.start } }).split('\n').length;
}

/** An object that says a mistake and a remedy. */
function isCandidate(place: Place<ObjectExpression>): boolean {
  const hasCause = Object.keys(CAUSES).some((key) => memberOf(place, key) !== undefined);
  return hasCause && (memberOf(place, 'fix') !== undefined || spreadsOf(place).length > 0);
}

/** Tells whether an object is another one in other words, whose code it keeps. */
function isRemade(sources: Sources, place: Place<ObjectExpression>): boolean {
  const code = memberOf(place, 'code');
  if (code === undefined) return spreadsOf(place).some((spread) => constantOf(sources, spread) === undefined);
  if (code.node.type !== 'Identifier') return false;
  const meaning = meaningOf(sources, code.node.value, code);
  if (meaning.is !== 'parameter' || meaning.member === undefined) return false;
  return callsOf(sources, meaning.of).length === 0;
}

/** The object that a name is declared to be. */
function constantOf(sources: Sources, { source, node, around }: Place): Place | undefined {
  if (node.type !== 'Identifier') return undefined;
  const meaning = meaningOf(sources, (node as Expression & { type: 'Identifier' }).value, { source, node, around });
  return meaning.is === 'value' ? meaning.at : undefined;
}

type Calls = ReadonlyMap<FunctionNode, Place<CallExpression>>;
type Branches = ReadonlyMap<string, boolean>;

/** Reads all that one object can say: by each call that leads to it, and each branch. */
class FindingReader {
  private readonly found: SourceFinding[] = [];
  private isReadable = true;

  constructor(
    private readonly sources: Sources,
    private readonly place: Place<ObjectExpression>,
    private readonly remade: readonly Place<ObjectExpression>[],
  ) {}

  /** The findings; undefined where a code cannot be read. */
  findings(): readonly SourceFinding[] | undefined {
    this.explore(new Map(), new Map());
    return this.isReadable ? this.found : undefined;
  }

  private explore(calls: Calls, branches: Branches): void {
    const reader = new TextReader({ sources: this.sources, calls, branches });
    const code = this.read(reader, 'code', 'code');
    const [cause = 'what'] = Object.keys(CAUSES).filter((key) => this.member(key) !== undefined);
    const what = `${CAUSES[cause]}${this.read(reader, cause, 'cause') ?? COMPUTED}`;
    const why = this.read(reader, 'why', 'phrase');
    const fix = this.read(reader, 'fix', 'phrase') ?? COMPUTED;
    const [condition] = [...reader.open.conditions].filter((one) => !branches.has(one));
    if (condition !== undefined && branches.size < 5) {
      for (const outcome of [true, false]) this.explore(calls, new Map([...branches, [condition, outcome]]));
      return;
    }
    if (calls.size < MOST_CALLS && this.exploreCalls(reader, calls)) return;
    if (code === undefined || code.includes(COMPUTED)) this.isReadable = false;
    else this.add({ code, what, why, fix });
  }

  /** Goes on with each call of a function whose parameters the texts need; tells whether there is any. */
  private exploreCalls(reader: TextReader, calls: Calls): boolean {
    for (const fn of reader.open.functions) {
      const all = callsOf(this.sources, fn).filter(({ around }) => !around.includes(fn.node));
      if (all.length === 0) continue;
      for (const call of all) this.explore(new Map([...calls, [fn.node, call]]), new Map());
      return true;
    }
    return false;
  }

  private add({ code, what, why, fix }: { code: string; what: string; why: string | undefined; fix: string }): void {
    const whys = why === undefined ? this.whysOfRemade(code) : [why];
    for (const one of whys.length === 0 ? [undefined] : whys) {
      const isSaid = one !== undefined && one !== COMPUTED;
      const { path: source } = this.place.source;
      this.found.push({ code, source, isWarning: isWarning(this.place), what, why: isSaid ? one : undefined, fix });
    }
  }

  /** The reasons that others give who make a finding of an object without one. */
  private whysOfRemade(code: string): readonly string[] {
    const branches = new Map([...this.codesAsked()].map((asked) => [`code === '${asked}'`, asked === code]));
    return this.remade.flatMap((place) => {
      const why = memberOf(place, 'why');
      if (why === undefined || why.node.type === 'Identifier') return [];
      const text = new TextReader({ sources: this.sources, calls: new Map(), branches }).textOf(why, 'phrase');
      return text === COMPUTED ? [] : [text];
    });
  }

  private codesAsked(): ReadonlySet<string> {
    const texts = new Set(this.remade.map(({ source }) => source.text));
    return new Set(
      [...texts].flatMap((text) => [...text.matchAll(/code === '([^']+)'/g)].map(([, code = '']) => code)),
    );
  }

  private read(reader: TextReader, key: string, mode: Mode): string | undefined {
    const member = this.member(key);
    return member === undefined ? undefined : reader.textOf(member, mode);
  }

  private member(key: string): Place | undefined {
    const constants = spreadsOf(this.place).flatMap((spread) => constantOf(this.sources, spread) ?? []);
    return memberOf(this.place, key) ?? constants.flatMap((constant) => memberOf(constant, key) ?? []).at(0);
  }
}

/** Tells whether an object is one of warnings: by the type of what makes it, or since it is handed over as one. */
function isWarning({ source, node, around }: Place): boolean {
  for (const outer of [...around, node].reverse()) {
    if (outer.type === 'CallExpression' && textOf(source, outer as CallExpression).startsWith('addWarning('))
      return true;
    if (outer.type === 'VariableDeclarator') {
      const { id } = outer as unknown as { readonly id: { readonly typeAnnotation?: Annotation | null } };
      if (id.typeAnnotation != null) return textOf(source, id.typeAnnotation).includes('Warning');
    }
    const returned = isFunction(outer) ? returnTypeOf(outer) : undefined;
    if (returned !== undefined) return textOf(source, returned).includes('Warning');
  }
  return false;
}

type Annotation = { readonly span: Span };

function returnTypeOf(fn: FunctionNode): Annotation | undefined {
  return (fn.type === 'ClassMethod' ? fn.function.returnType : fn.returnType) ?? undefined;
}

function distinct(findings: readonly SourceFinding[]): readonly SourceFinding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}
