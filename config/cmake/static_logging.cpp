// SPDX-License-Identifier: MIT
// spdlog and fmt for the static program: Debian has no static libraries of them, but their headers
// hold the code. What is instantiated here is what their own libraries have.
#include <fmt/format-inl.h>
#include <spdlog/async_logger-inl.h>
#include <spdlog/common-inl.h>
#include <spdlog/details/backtracer-inl.h>
#include <spdlog/details/log_msg-inl.h>
#include <spdlog/details/log_msg_buffer-inl.h>
#include <spdlog/details/null_mutex.h>
#include <spdlog/details/os-inl.h>
#include <spdlog/details/periodic_worker-inl.h>
#include <spdlog/details/registry-inl.h>
#include <spdlog/details/thread_pool-inl.h>
#include <spdlog/logger-inl.h>
#include <spdlog/pattern_formatter-inl.h>
#include <spdlog/sinks/ansicolor_sink-inl.h>
#include <spdlog/sinks/base_sink-inl.h>
#include <spdlog/sinks/sink-inl.h>
#include <spdlog/sinks/stdout_sinks-inl.h>
#include <spdlog/spdlog-inl.h>

#include <mutex>

FMT_BEGIN_NAMESPACE
namespace detail {
template FMT_API auto dragonbox::to_decimal(float) noexcept -> dragonbox::decimal_fp<float>;
template FMT_API auto dragonbox::to_decimal(double) noexcept -> dragonbox::decimal_fp<double>;
template FMT_API locale_ref::locale_ref(const std::locale&);
template FMT_API auto locale_ref::get<std::locale>() const -> std::locale;
template FMT_API auto thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template FMT_API auto decimal_point_impl(locale_ref) -> char;
template FMT_API void buffer<char>::append(const char*, const char*);
template FMT_API void vformat_to(buffer<char>&, string_view,
                                 basic_format_args<FMT_BUFFER_CONTEXT(char)>, locale_ref);
}  // namespace detail
FMT_END_NAMESPACE

template class SPDLOG_API spdlog::sinks::base_sink<std::mutex>;
template class SPDLOG_API spdlog::sinks::base_sink<spdlog::details::null_mutex>;

using spdlog::details::console_mutex, spdlog::details::console_nullmutex;
template class SPDLOG_API spdlog::sinks::stdout_sink_base<console_mutex>;
template class SPDLOG_API spdlog::sinks::stdout_sink_base<console_nullmutex>;
template class SPDLOG_API spdlog::sinks::stdout_sink<console_mutex>;
template class SPDLOG_API spdlog::sinks::stderr_sink<console_mutex>;
template class SPDLOG_API spdlog::sinks::ansicolor_sink<console_mutex>;
template class SPDLOG_API spdlog::sinks::ansicolor_sink<console_nullmutex>;
template class SPDLOG_API spdlog::sinks::ansicolor_stdout_sink<console_mutex>;
template class SPDLOG_API spdlog::sinks::ansicolor_stderr_sink<console_mutex>;
