import { brand, Icon } from '@clinic/ui';
import { useId, useState } from 'react';
import { Section } from '../layout/section.tsx';

interface Question {
  readonly question: string;
  readonly answer: string;
}

/** On insurance, scheduling, the first visit and telemedicine. */
const questions: readonly Question[] = [
  {
    question: 'Do you accept my insurance?',
    answer: `We work with most major insurers. Bring your card, or call ${brand.phone} and we’ll check your cover before you come. You can also pay yourself. We’ll tell you the price first.`,
  },
  {
    question: 'How do I schedule an appointment?',
    answer:
      'Choose a doctor, a day and a free time, then confirm. You’ll find the appointment in My Appointments. You can also book by phone.',
  },
  {
    question: 'What should I bring to my first visit?',
    answer:
      'Bring an identity document, your insurance card, a list of the medicines you take, and any earlier results. Come 10 minutes early so we can set up your record.',
  },
  {
    question: 'Do you offer telemedicine?',
    answer:
      'Yes. You can use video for follow-ups, prescriptions and many first questions. If you need an examination, your doctor will offer you a time at the clinic.',
  },
];

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
