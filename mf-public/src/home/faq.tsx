import { Icon } from '@clinic/ui';
import { Section } from '../layout/section.tsx';
import { questions } from './questions.ts';

/** Questions and answers, which open without scripts; opening one closes the other. */
export function Faq() {
  return (
    <Section
      tinted
      centered
      title="Frequently Asked Questions"
      lead="Can’t find your question? Send us a message below."
    >
      <div className="mx-auto grid max-w-3xl gap-3">
        {questions.map(({ question, answer }) => (
          <details key={question} name="question" className="group rounded-card border border-line bg-base-200">
            <summary className="flex cursor-pointer list-none items-center justify-between gap-4 rounded-card px-5 py-4 font-semibold sm:px-6 [&::-webkit-details-marker]:hidden">
              <h3>{question}</h3>
              <Icon
                name="chevron-down"
                className="flex-none text-primary transition-transform duration-200 group-open:rotate-180"
              />
            </summary>
            <p className="px-5 pb-5 text-muted sm:px-6">{answer}</p>
          </details>
        ))}
      </div>
    </Section>
  );
}
