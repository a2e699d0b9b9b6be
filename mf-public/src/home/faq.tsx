import { Icon } from '@clinic/ui';
import { useId, useState } from 'react';
import { Section } from '../layout/section.tsx';
import { questions, type Question } from './questions.ts';

/** Questions and answers; opening one closes the other. */
export function Faq() {
  const [open, setOpen] = useState<string>();
  return (
    <Section
      tinted
      centered
      title="Frequently Asked Questions"
      lead="Can’t find your question? Send us a message below."
    >
      <div className="mx-auto grid max-w-3xl gap-3">
        {questions.map((item) => (
          <Item
            key={item.question}
            {...item}
            open={open === item.question}
            onToggle={() => setOpen(open === item.question ? undefined : item.question)}
          />
        ))}
      </div>
    </Section>
  );
}

function Item({
  question,
  answer,
  open,
  onToggle,
}: Question & { readonly open: boolean; readonly onToggle: () => void }) {
  const id = useId();
  return (
    <div className="rounded-card border border-line bg-base-200">
      <h3>
        <button
          type="button"
          id={`${id}-question`}
          aria-expanded={open}
          aria-controls={`${id}-answer`}
          onClick={onToggle}
          className="flex w-full cursor-pointer items-center justify-between gap-4 rounded-card px-5 py-4 text-start font-semibold sm:px-6"
        >
          {question}
          <Icon
            name="chevron-down"
            className={`flex-none text-primary transition-transform duration-200 ${open ? 'rotate-180' : ''}`}
          />
        </button>
      </h3>
      <section id={`${id}-answer`} aria-labelledby={`${id}-question`} hidden={!open}>
        <p className="px-5 pb-5 text-muted sm:px-6">{answer}</p>
      </section>
    </div>
  );
}
