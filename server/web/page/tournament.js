// Standings, tables and curves of a tournament.
"use strict";

function tournamentParts() { return []; }
