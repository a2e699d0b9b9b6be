/**
 * Dispatched at the window when the application has taken the place of the page's HTML. Until then it renders outside of the
 * document, where nothing can enter the top layer.
 */
export const shownEvent = 'clinic-shown';
