/** Asks whether to leave the page. @returns whether to */
type Question = () => Promise<boolean>;

const questions = new Set<Question>();

/** Has the visitor asked before the page is left. @returns stops it */
export function askBeforeLeaving(question: Question): () => void {
  questions.add(question);
  return () => {
    questions.delete(question);
  };
}

/** The question to ask before the page is left; called by the shell only. @returns `undefined` if there is none */
export function leaveQuestion(): Question | undefined {
  return [...questions].at(-1);
}
