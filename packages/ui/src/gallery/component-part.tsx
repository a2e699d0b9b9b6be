import { useState, type ComponentType, type ReactNode } from 'react';
import type { ComponentProps } from './build/component-props.ts';
import { Button } from '../button.tsx';
import { StatusBadge } from '../status-badge.tsx';
import type { Change } from './changes.ts';
import { Code } from './code.tsx';
import { Fold } from './fold.tsx';

interface ComponentPartProps {
  readonly name: string;
  readonly states: Readonly<Record<string, ComponentType>>;
  readonly sources: Readonly<Record<string, string>>;
  readonly component: ComponentProps | undefined;
  /** How it responds to pointer and keyboard. */
  readonly behaviour: string | undefined;
  /** Since the release of that name. */
  readonly change: Change | undefined;
  readonly release: string;
  /** Shows examples on request only. */
  readonly hidden: boolean;
}

/** One component: what it is for, what changed, its states with their code, and its props. */
export function ComponentPart({
  name,
  states,
  sources,
  component,
  behaviour,
  change,
  release,
  hidden,
}: ComponentPartProps) {
  return (
    <section id={name} className="ui-gallery-component" aria-labelledby={`${name}-name`}>
      <header>
        <h3 id={`${name}-name`} className="ui-dialog-title">
          {name}
        </h3>
        {change && (
          <StatusBadge
            status={change.kind === 'new' ? `New since ${release}` : `Changed since ${release}`}
            tone="blue"
            icon="info"
          />
        )}
      </header>
      {component?.about && <p>{withCode(component.about)}</p>}
      {behaviour && <p className="ui-hint">{behaviour}</p>}
      {change && change.lines.length > 0 && (
        <ul className="ui-gallery-changes">
          {change.lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <div className="ui-gallery-examples">
        {Object.entries(states).map(([state, Example]) => (
          <div key={state} className="ui-gallery-example">
            <p className="ui-gallery-state">{state}</p>
            {hidden ? <OnRequest of={`${name}, ${state}`} Example={Example} /> : <Stage Example={Example} />}
            <Code of={`${name}, ${state}`} text={sources[state] ?? ''} />
          </div>
        ))}
      </div>
      {component && <Props name={name} {...component} />}
    </section>
  );
}

/** A comment whose parts in backticks are code. */
function withCode(comment: string): ReactNode[] {
  // oxlint-disable-next-line react/no-array-index-key -- parts of a text have no other identity
  return comment.split('`').map((part, place) => (place % 2 === 1 ? <code key={place}>{part}</code> : part));
}

function Stage({ Example }: { readonly Example: ComponentType }) {
  return (
    <div className="ui-gallery-stage">
      <Example />
    </div>
  );
}

function OnRequest({ of, Example }: { readonly of: string; readonly Example: ComponentType }) {
  const [shown, setShown] = useState(false);
  return (
    <>
      <div className="ui-gallery-stage">
        <Button
          size="sm"
          variant="secondary"
          aria-label={`${shown ? 'Hide' : 'Show'} ${of}`}
          onClick={() => setShown(!shown)}
        >
          {shown ? 'Hide' : 'Show'}
        </Button>
      </div>
      {shown && <Stage Example={Example} />}
    </>
  );
}

function Props({ name, props, also }: ComponentProps & { readonly name: string }) {
  return (
    <Fold title="Props" of={name}>
      <dl className="ui-gallery-props">
        {props.map((prop) => (
          <div key={prop.name}>
            <dt>
              <code>
                {prop.name}
                {prop.optional && '?'}: {prop.type}
              </code>
            </dt>
            {prop.about && <dd>{withCode(prop.about)}</dd>}
          </div>
        ))}
        {also.map((type) => (
          <div key={type}>
            <dt>
              <code>…{type}</code>
            </dt>
          </div>
        ))}
      </dl>
    </Fold>
  );
}
