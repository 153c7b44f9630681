# SPDX-License-Identifier: MIT
# cmake -DOUT=FILE.cpp -DFOLDER=... -DCHARTS_SCRIPT=... -DCHARTS_STYLE=... -P embed.cmake: the files of
# the pages as string literals.
set(text "// Made from server/web/page/ by server/web/embed.cmake.\n#include \"server/match/manager_script.h\"\n#include \"server/web/page_files.h\"\n\n")
string(APPEND text "namespace ludens::server {\n\n")
# The notice that the licence of dygraphs asks for, which its file only links to.
set(charts_notice "/*! dygraphs, Copyright (c) 2006-2023 Dan Vanderkam and contributors. Permission is hereby granted, free of
charge, to any person obtaining a copy of this software and associated documentation files (the \"Software\"), to deal in the Software
without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or
sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following
conditions: The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software. THE SOFTWARE IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT
HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT
OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE. */\n")
# embed(NAME FILE [TEXT IN FRONT])
function(embed name file)
  file(READ ${file} content)
  string(REGEX REPLACE "/[/*]# sourceMappingURL=[^\n]*" "" content "${content}")
  string(PREPEND content "${ARGN}")
  string(APPEND text "const std::string_view ${name} = R\"~~~~(${content})~~~~\";\n")
  set(text "${text}" PARENT_SCOPE)
endfunction()
embed(kPageStyle ${FOLDER}/page.css)
embed(kBoardScript ${FOLDER}/board.js)
embed(kViewerScript ${FOLDER}/viewer.js)
embed(kTournamentScript ${FOLDER}/tournament.js)
embed(kReportScript ${FOLDER}/report.js)
embed(kInputScript ${FOLDER}/input.js)
embed(kTurnScript ${FOLDER}/turn.js)
embed(kLiveScript ${FOLDER}/live.js)
embed(kManagerScript ${FOLDER}/manager.js)
embed(kGamemasterScript ${FOLDER}/gamemaster.js)
embed(kGamemasterWorkerScript ${FOLDER}/gamemaster_worker.js)
embed(kGamemasterWindowScript ${FOLDER}/gamemaster_window.js)
embed(kChartsStyle ${CHARTS_STYLE})
embed(kChartsScript ${CHARTS_SCRIPT} "${charts_notice}")
string(APPEND text "\n}  // namespace ludens::server\n")
file(WRITE ${OUT} "${text}")
