/** The page with the questions before a visit. @param id - of the appointment */
export const questionsPath = (id: string): string => `/dash/questions/${id}`;
