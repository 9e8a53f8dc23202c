// passes.cpp - see passes.h.
#include "render/passes.h"

namespace clothc_renderer {
namespace {

constexpr VkImageLayout READ = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
constexpr VkImageLayout COLOUR = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
constexpr VkImageLayout DEPTH = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
constexpr VkImageLayout DEPTH_READ = VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL;

constexpr VkPipelineStageFlags DEPTH_STAGES =
    VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
constexpr VkPipelineStageFlags COLOUR_STAGE = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
constexpr VkPipelineStageFlags SHADER_STAGE = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
constexpr VkAccessFlags DEPTH_ACCESS =
    VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
constexpr VkAccessFlags COLOUR_ACCESS = VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;

// An attachment whose contents before the pass do not matter unless `begin` says what they are.
VkAttachmentDescription attachment(VkFormat format, VkSampleCountFlagBits samples, VkAttachmentLoadOp load,
                                   VkImageLayout end, VkImageLayout begin = VK_IMAGE_LAYOUT_UNDEFINED) {
  VkAttachmentDescription description{};
  description.format = format;
  description.samples = samples;
  description.loadOp = load;
  description.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  description.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  description.stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
  description.initialLayout = begin;
  description.finalLayout = end;
  return description;
}

// What a pass has in its only subpass: attachments by their index.
struct Subpass {
  VkAttachmentReference colour = {VK_ATTACHMENT_UNUSED, COLOUR};
  VkAttachmentReference resolve = {VK_ATTACHMENT_UNUSED, COLOUR};
  VkAttachmentReference depth = {VK_ATTACHMENT_UNUSED, DEPTH};
};

// Stages and accesses of commands.
struct Order {
  VkPipelineStageFlags stages;
  VkAccessFlags access;
};

// What earlier passes, also those of the frame before, did with the same images.
constexpr Order EARLIER = {SHADER_STAGE | COLOUR_STAGE | DEPTH_STAGES,
                           VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT};

// own: what the pass does; after: what later commands do with its images.
OwnedRenderPass make_pass(const Graphics& graphics, const std::vector<VkAttachmentDescription>& attachments,
                          const Subpass& subpass, Order own, Order after) {
  VkSubpassDescription description{};
  description.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
  const bool has_colour = subpass.colour.attachment != VK_ATTACHMENT_UNUSED;
  description.colorAttachmentCount = has_colour ? 1 : 0;
  description.pColorAttachments = &subpass.colour;
  description.pResolveAttachments = &subpass.resolve;
  description.pDepthStencilAttachment = &subpass.depth;
  const VkSubpassDependency dependencies[] = {
      {VK_SUBPASS_EXTERNAL, 0, EARLIER.stages, own.stages, EARLIER.access, own.access, 0},
      {0, VK_SUBPASS_EXTERNAL, own.stages, after.stages, own.access, after.access, 0}};
  VkRenderPassCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO;
  info.attachmentCount = static_cast<uint32_t>(attachments.size());
  info.pAttachments = attachments.data();
  info.subpassCount = 1;
  info.pSubpasses = &description;
  info.dependencyCount = 2;
  info.pDependencies = dependencies;
  VkRenderPass pass = VK_NULL_HANDLE;
  check(graphics.functions().CreateRenderPass(graphics.device(), &info, nullptr, &pass), "vkCreateRenderPass");
  return {graphics, pass};
}

}  // namespace

Passes::Passes(const Graphics& graphics, VkFormat target_format, VkImageLayout target_layout) {
  constexpr VkAttachmentLoadOp clear = VK_ATTACHMENT_LOAD_OP_CLEAR, none = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  constexpr VkSampleCountFlagBits one = VK_SAMPLE_COUNT_1_BIT;
  constexpr VkAccessFlags shader_read = VK_ACCESS_SHADER_READ_BIT;

  Subpass subpass;
  subpass.depth.attachment = 0;
  shadow = make_pass(graphics, {attachment(DEPTH_FORMAT, one, clear, DEPTH_READ)}, subpass,
                     {DEPTH_STAGES, DEPTH_ACCESS}, {SHADER_STAGE, shader_read});

  subpass = {};
  subpass.colour.attachment = 0;
  subpass.depth.attachment = 1;
  surface = make_pass(
      graphics,
      {attachment(SURFACE_FORMAT, SAMPLES, clear, READ), attachment(DEPTH_FORMAT, SAMPLES, clear, DEPTH_READ)}, subpass,
      {COLOUR_STAGE | DEPTH_STAGES, COLOUR_ACCESS | DEPTH_ACCESS},
      {SHADER_STAGE | DEPTH_STAGES, shader_read | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT});

  subpass = {};
  subpass.colour.attachment = 0;
  cells = make_pass(graphics, {attachment(CELL_FORMAT, one, none, READ)}, subpass, {COLOUR_STAGE, COLOUR_ACCESS},
                    {SHADER_STAGE, shader_read});

  // The depths are those of the pass `surface`: they are tested, not written.
  subpass.resolve.attachment = 1;
  subpass.depth = {2, DEPTH_READ};
  VkAttachmentDescription samples = attachment(LIT_FORMAT, SAMPLES, none, COLOUR);
  samples.storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
  VkAttachmentDescription depths =
      attachment(DEPTH_FORMAT, SAMPLES, VK_ATTACHMENT_LOAD_OP_LOAD, DEPTH_READ, DEPTH_READ);
  depths.storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
  lit = make_pass(graphics, {samples, attachment(LIT_FORMAT, one, none, READ), depths}, subpass,
                  {COLOUR_STAGE | DEPTH_STAGES, COLOUR_ACCESS | DEPTH_ACCESS}, {SHADER_STAGE, shader_read});

  subpass = {};
  subpass.colour.attachment = 0;
  final = make_pass(graphics, {attachment(target_format, one, none, target_layout)}, subpass,
                    {COLOUR_STAGE, COLOUR_ACCESS}, {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT});
}

OwnedFramebuffer make_framebuffer(const Graphics& graphics, VkRenderPass pass, const std::vector<VkImageView>& views,
                                  VkExtent2D extent) {
  VkFramebufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO;
  info.renderPass = pass;
  info.attachmentCount = static_cast<uint32_t>(views.size());
  info.pAttachments = views.data();
  info.width = extent.width;
  info.height = extent.height;
  info.layers = 1;
  VkFramebuffer framebuffer = VK_NULL_HANDLE;
  check(graphics.functions().CreateFramebuffer(graphics.device(), &info, nullptr, &framebuffer), "vkCreateFramebuffer");
  return {graphics, framebuffer};
}

PassImages::PassImages(const Graphics& graphics, const Passes& passes, VkExtent2D size)
    : extent(size), cell_extent{(size.width + 1) / 2, (size.height + 1) / 2} {
  constexpr VkImageUsageFlags read = VK_IMAGE_USAGE_SAMPLED_BIT, colour = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                              depth = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
  depths = DeviceImage(graphics, {extent, DEPTH_FORMAT, depth | read, SAMPLES});
  surfaces = DeviceImage(graphics, {extent, SURFACE_FORMAT, colour | read, SAMPLES});
  cells = DeviceImage(graphics, {cell_extent, CELL_FORMAT, colour | read});
  lit_samples = DeviceImage(graphics, {extent, LIT_FORMAT, colour | VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT, SAMPLES});
  lit = DeviceImage(graphics, {extent, LIT_FORMAT, colour | read});
  surface_framebuffer = make_framebuffer(graphics, passes.surface, {surfaces.view(), depths.view()}, extent);
  cells_framebuffer = make_framebuffer(graphics, passes.cells, {cells.view()}, cell_extent);
  lit_framebuffer = make_framebuffer(graphics, passes.lit, {lit_samples.view(), lit.view(), depths.view()}, extent);
}

ShadowImage::ShadowImage(const Graphics& graphics, const Passes& passes, uint32_t size) : extent{size, size} {
  depths = DeviceImage(
      graphics, {extent, DEPTH_FORMAT, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT});
  framebuffer = make_framebuffer(graphics, passes.shadow, {depths.view()}, extent);
}

}  // namespace clothc_renderer
