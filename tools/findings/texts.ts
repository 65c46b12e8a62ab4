import type { ArrayExpression, CallExpression, Expression, MemberExpression, ObjectExpression } from '@swc/core';
import { type FunctionNode, type Meaning, meaningOf, type Place, presetOf } from './scope';
import { type Node, type Sources, type Span, textOf } from './sources';

/** Stands for whatever is known only when the library runs. */
export const COMPUTED = '…';

/** The way to read texts: which calls led to the functions that they are in, and which branches are taken. */
export interface Reading {
  readonly sources: Sources;
  readonly calls: ReadonlyMap<FunctionNode, Place<CallExpression>>;
  /** Outcomes of conditions, by their text. */
  readonly branches: ReadonlyMap<string, boolean>;
}

/** The questions that a reading came upon and another one could decide. */
export interface OpenQuestions {
  readonly functions: Set<Place<FunctionNode>>;
  readonly conditions: Set<string>;
}

/**
 * The parameters that are read: of a cause none, as they are names of fields; of a code all; and of the rest phrases,
 * unless the cause has them, too. Members of what is written out are always read.
 */
export type Mode = 'cause' | 'phrase' | 'code';

type Parameter = Extract<Meaning, { is: 'parameter' }>;

/** Reads the texts of one object, the cause before the rest. */
export class TextReader {
  readonly open: OpenQuestions = { functions: new Set(), conditions: new Set() };
  /** Parameters that the cause has. */
  private readonly subjects = new Map<FunctionNode, Set<number>>();
  private depth = 0;

  constructor(private readonly reading: Reading) {}

  /** The text that an expression makes, with `…` for its computed parts. */
  textOf(place: Place, mode: Mode): string {
    if (this.depth > 20) return COMPUTED;
    this.depth += 1;
    try {
      return this.read(place as Place<Expression>, mode).replace(/…(?:\s*…)+/g, COMPUTED);
    } finally {
      this.depth -= 1;
    }
  }

  private read(place: Place<Expression>, mode: Mode): string {
    const { node } = place;
    const inside = <N extends Node>(child: N): Place<N> => ({ ...place, node: child, around: [...place.around, node] });
    switch (node.type) {
      case 'StringLiteral':
        return node.value;
      case 'BooleanLiteral':
      case 'NumericLiteral':
        return `${node.value}`;
      case 'TemplateLiteral':
        return node.quasis
          .map(({ cooked, raw }, index) => {
            const expression = 'expressions' in node ? node.expressions[index] : undefined;
            return `${cooked ?? raw}${expression === undefined ? '' : this.textOf(inside(expression), mode)}`;
          })
          .join('');
      case 'BinaryExpression':
        return node.operator === '+'
          ? this.textOf(inside(node.left), mode) + this.textOf(inside(node.right), mode)
          : COMPUTED;
      case 'ConditionalExpression':
        return this.textOf(inside(this.isTaken(inside(node.test)) ? node.consequent : node.alternate), mode);
      case 'ParenthesisExpression':
      case 'TsAsExpression':
      case 'TsConstAssertion':
      case 'TsSatisfiesExpression':
        return this.textOf(inside(node.expression), mode);
      case 'Identifier':
        return this.textOfName(node.value, place, mode);
      case 'MemberExpression':
        return this.textOfMember(place as Place<typeof node>, mode);
      default:
        return COMPUTED;
    }
  }

  /** Decides a condition; one that nobody has decided yet holds, and is a question. */
  private isTaken({ source, node }: Place<Expression>): boolean {
    const condition = textOf(source, node as Node & { readonly span: Span }).replace(/\s+/g, ' ');
    const decided = this.reading.branches.get(condition);
    if (decided === undefined) this.open.conditions.add(condition);
    return decided ?? true;
  }

  private textOfName(name: string, place: Place, mode: Mode): string {
    const meaning = meaningOf(this.reading.sources, name, place);
    if (meaning.is === 'value') return this.textOf(meaning.at, mode);
    if (meaning.is === 'other' || this.isSubject(meaning, mode)) return COMPUTED;
    const argument = this.argumentOf(meaning);
    if (argument === undefined) return COMPUTED;
    const text = this.textOf(argument, mode);
    return mode === 'code' || meaning.member !== undefined || text.trim().includes(' ') ? text : COMPUTED;
  }

  private isSubject({ of, index, member }: Parameter, mode: Mode): boolean {
    if (member !== undefined || mode === 'code') return false;
    const subjects = this.subjects.get(of.node) ?? new Set();
    if (mode === 'cause') this.subjects.set(of.node, subjects.add(index));
    return subjects.has(index);
  }

  private textOfMember({ node, ...rest }: Place<MemberExpression>, mode: Mode): string {
    if (node.property.type !== 'Identifier') return COMPUTED;
    const inside = { source: rest.source, node: node.object, around: [...rest.around, node] };
    const value = this.memberIn(this.objectAt(inside, mode), node.property.value, mode);
    return value === undefined ? COMPUTED : this.textOf(value, mode);
  }

  /** The object or list that an expression stands for, where it is written out. */
  private objectAt(place: Place, mode: Mode): Place | undefined {
    const { node, ...rest } = place as Place<Expression>;
    const inside = (child: Node): Place => ({ ...rest, node: child, around: [...rest.around, node] });
    switch (node.type) {
      case 'ObjectExpression':
      case 'ArrayExpression':
        return place;
      case 'TsAsExpression':
      case 'TsConstAssertion':
      case 'TsSatisfiesExpression':
        return this.objectAt(inside(node.expression), mode);
      case 'ConditionalExpression': {
        const isTaken = this.isTaken({ ...rest, node: node.test, around: [...rest.around, node] });
        return this.objectAt(inside(isTaken ? node.consequent : node.alternate), mode);
      }
      case 'MemberExpression': {
        if (node.property.type !== 'Identifier') return undefined;
        const value = this.memberIn(this.objectAt(inside(node.object), mode), node.property.value, mode);
        return value === undefined ? undefined : this.objectAt(value, mode);
      }
      case 'Identifier': {
        const meaning = meaningOf(this.reading.sources, node.value, place);
        if (meaning.is === 'value') return this.objectAt(meaning.at, mode);
        if (meaning.is === 'other' || mode === 'cause') return undefined;
        const argument = this.argumentOf(meaning);
        return argument === undefined ? undefined : this.objectAt(argument, mode);
      }
      default:
        return undefined;
    }
  }

  /** A member of an object, or of those that it takes over. */
  private memberIn(place: Place | undefined, key: string, mode: Mode): Place | undefined {
    if (place === undefined) return undefined;
    const own = memberOf(place, key);
    if (own !== undefined || place.node.type !== 'ObjectExpression') return own;
    for (const spread of spreadsOf(place as Place<ObjectExpression>)) {
      const taken = this.memberIn(this.objectAt(spread, mode), key, mode);
      if (taken !== undefined) return taken;
    }
    return undefined;
  }

  /** Returns what a call gives for a parameter; without a call it is a question. */
  private argumentOf({ of, index, member }: Parameter): Place | undefined {
    const call = this.reading.calls.get(of.node);
    if (call === undefined) {
      this.open.functions.add(of);
      return undefined;
    }
    const given = call.node.arguments.slice(0, index + 1);
    const argument = given[index];
    if (given.some(({ spread }) => spread != null)) return undefined;
    const around = [...call.around, call.node];
    if (argument === undefined) return member === undefined ? presetOf(of, index) : undefined;
    const place = { source: call.source, node: argument.expression, around };
    return member === undefined ? place : this.memberIn(this.objectAt(place, 'cause'), member, 'cause');
  }
}

/** A member of an object, or an item of a list, that is written out; undefined where it is not. */
export function memberOf({ source, node, around }: Place, key: string): Place<Expression> | undefined {
  if (node.type === 'TsAsExpression' || node.type === 'TsConstAssertion' || node.type === 'TsSatisfiesExpression') {
    const { expression } = node as Node & { readonly expression: Expression };
    return memberOf({ source, node: expression, around: [...around, node] }, key);
  }
  if (node.type === 'ArrayExpression') {
    const item = (node as ArrayExpression).elements[Number(key)]?.expression;
    return item === undefined ? undefined : { source, node: item, around: [...around, node] };
  }
  if (node.type !== 'ObjectExpression') return undefined;
  for (const property of (node as ObjectExpression).properties) {
    const inside = [...around, node];
    if (property.type === 'Identifier' && property.value === key) return { source, node: property, around: inside };
    if (property.type !== 'KeyValueProperty' || !('value' in property.key) || property.key.value !== key) continue;
    return { source, node: property.value, around: inside };
  }
  return undefined;
}

/** Returns the spreads of an object: what it takes over from others. */
export function spreadsOf({ source, node, around }: Place<ObjectExpression>): readonly Place<Expression>[] {
  return node.properties.flatMap((property) =>
    property.type === 'SpreadElement' ? [{ source, node: property.arguments, around: [...around, node] }] : [],
  );
}
